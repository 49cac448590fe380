//@ flags: -std=c++20 -pthread
// std::thread, locks, conditions, futures, thread_local objects, exceptions across threads.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> ended{0};
struct Local {
    int value = 1;
    ~Local() { ended += value; }
};
static thread_local Local local;

struct Channel {
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<int> queue;
    void send(int x) {
        {
            std::lock_guard guard(mutex);
            queue.push(x);
        }
        changed.notify_one();
    }
    int receive() {
        std::unique_lock guard(mutex);
        changed.wait(guard, [this] { return !queue.empty(); });
        int x = queue.front();
        queue.pop();
        return x;
    }
};

int main() {
    Channel channel;
    long total = 0;
    std::thread consumer([&] {
        for (int i = 0; i < 300; i++) total += channel.receive();
    });
    std::vector<std::thread> producers;
    for (int p = 0; p < 3; p++)
        producers.emplace_back([&channel, p] {
            local.value = 10 * (p + 1);
            for (int i = 0; i < 100; i++) channel.send(i * (p + 1));
        });
    for (auto &producer : producers) producer.join();
    consumer.join();
    std::printf("%ld %d\n", total, ended.load());
    auto good = std::async(std::launch::async, [](int x) { return x * x; }, 12);
    auto bad = std::async(std::launch::async, []() -> int { throw std::runtime_error("from a thread"); });
    std::printf("%d ", good.get());
    try {
        bad.get();
    } catch (std::runtime_error &e) {
        std::printf("%s\n", e.what());
    }
    std::promise<int> promise;
    std::jthread setter([&promise] { promise.set_value(5); });
    std::printf("%d\n", promise.get_future().get());
    std::once_flag once;
    int calls = 0;
    for (int i = 0; i < 3; i++) std::call_once(once, [&] { calls++; });
    std::printf("%d\n", calls);
}
