// A stock exchange. Commands on standard input; prices are whole numbers.
//
//   stock NAME TICK LOT [BAND]                  orders more than BAND % off the last price are refused
//   buy|sell TRADER NAME COUNT at PRICE [OPTION ...]
//   buy|sell TRADER NAME COUNT market [OPTION ...]
//        options: now      what is not traded at once is cancelled
//                 all      at once and completely, or not at all
//                 rest     not at all, if it would trade at once
//                 show N   others see only N at a time
//                 until T  it ends at that time
//                 stop P   it waits until someone has traded at P, or beyond it
//   cancel ID, amend ID COUNT [PRICE], clock T
//   call NAME, open NAME                        begin and end an auction
//   book NAME, last NAME, account TRADER
#include <algorithm>
#include <cassert>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

class Refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

constexpr long any_price = std::numeric_limits<long>::max();

struct Order {
    int id = 0;
    std::string trader;
    bool buys = false;
    long price = 0;
    long count = 0; // what is still to be traded
    long peak = 0;  // how much others see at a time; 0: all
    long shown = 0; // of `count`
    int until = 0;  // 0: for ever
    long trigger = 0;
    bool now = false, all = false, rest = false;

    void show_more() { shown = peak == 0 ? count : std::min(peak, count); }
};

using Queue = std::list<Order>;

struct Trade {
    std::string stock, buyer, seller;
    long price, count;
    bool bought; // by the one who came last
};

// One side of a book; what is `Before` another price is better for those who come.
template <class Before> class Half {
public:
    std::map<long, Queue, Before> levels;

    Queue::iterator add(Order order) {
        order.show_more();
        Queue &queue = levels[order.price];
        return queue.insert(queue.end(), std::move(order));
    }

    void remove(Queue::iterator place) {
        auto level = levels.find(place->price);
        assert(level != levels.end());
        level->second.erase(place);
        if (level->second.empty())
            levels.erase(level);
    }

    bool crosses(const Order &taker) const {
        return !levels.empty() && !Before()(taker.price, levels.begin()->first);
    }

    // How much could be traded with an order.
    long available(const Order &taker) const {
        long sum = 0;
        for (const auto &[price, queue] : levels) {
            if (Before()(taker.price, price))
                break;
            for (const Order &maker : queue)
                if (maker.trader != taker.trader)
                    sum += maker.count;
        }
        return sum;
    }

    // Trades while there is someone to trade with. `traded` learns of each trade, `gone` of orders that leave the book.
    template <class Traded, class Gone> void match(Order &taker, Traded traded, Gone gone) {
        while (taker.count > 0 && crosses(taker)) {
            auto level = levels.begin();
            Queue &queue = level->second;
            Order &maker = queue.front();
            // No one trades with themselves: the older order goes.
            if (maker.trader != taker.trader) {
                long count = std::min(taker.count, maker.shown);
                assert(count > 0);
                taker.count -= count;
                maker.count -= count;
                maker.shown -= count;
                traded(maker, count);
            } else {
                maker.count = 0;
            }
            if (maker.count == 0) {
                gone(maker.id);
                queue.pop_front();
            } else if (maker.shown == 0) {
                maker.show_more();
                queue.splice(queue.end(), queue, queue.begin());
            }
            if (queue.empty())
                levels.erase(level);
        }
    }
};

class Book {
public:
    Book(long tick, long lot, long band) : tick(tick), lot(lot), band(band) {}

    void check(const Order &order) const {
        if (order.count <= 0 || order.count % lot != 0)
            throw Refused("count");
        if (order.price == any_price || order.price == 0)
            return;
        if (order.price < 0 || order.price % tick != 0)
            throw Refused("price");
        if (band != 0 && last != 0 && std::abs(order.price - last) * 100 > band * last)
            throw Refused("price is too far off");
    }

    // The price at which most can be traded; of these the one with the least left over, and then the lowest.
    long auction_price() const {
        std::map<long, std::pair<long, long>> counts; // bought, sold
        for (const auto &[price, queue] : bids.levels)
            for (const Order &order : queue)
                counts[price].first += order.count;
        for (const auto &[price, queue] : asks.levels)
            for (const Order &order : queue)
                counts[price].second += order.count;
        long bought = 0, sold = 0;
        for (const auto &[price, count] : counts)
            bought += count.first;
        long best = 0, best_volume = 0, best_rest = 0;
        for (const auto &[price, count] : counts) {
            sold += count.second;
            long volume = std::min(bought, sold), rest = std::abs(bought - sold);
            if (volume > best_volume || (volume == best_volume && volume > 0 && rest < best_rest)) {
                best = price;
                best_volume = volume;
                best_rest = rest;
            }
            bought -= count.first;
        }
        return best;
    }

    void print() const {
        for (auto level = asks.levels.rbegin(); level != asks.levels.rend(); ++level)
            print_level("sell", level->first, level->second);
        for (const auto &[price, queue] : bids.levels)
            print_level(" buy", price, queue);
        if (!stops.empty())
            std::cout << "  " << stops.size() << " waiting\n";
    }

    const long tick, lot, band;
    Half<std::greater<long>> bids;
    Half<std::less<long>> asks;
    std::map<int, Order> stops;
    long last = 0, volume = 0, turnover = 0;
    bool collecting = false;

private:
    static void print_level(const char *side, long price, const Queue &queue) {
        long shown = 0;
        for (const Order &order : queue)
            shown += order.shown;
        std::cout << "  " << side << std::setw(7) << price << std::setw(7) << shown << " (" << queue.size() << ")\n";
    }
};

class Listener {
public:
    virtual ~Listener() = default;
    virtual void traded(const Trade &trade) = 0;
};

class Tape : public Listener {
public:
    void traded(const Trade &trade) override {
        std::cout << "  " << trade.stock << " " << trade.count << " at " << trade.price << ": " << trade.seller
                  << " to " << trade.buyer << "\n";
    }
};

struct Position {
    long count = 0;  // less than 0: sold without having it
    long cost = 0;   // of what there is, with the sign of `count`
    long profit = 0; // of what was closed

    void trade(long change, long price) {
        if ((count > 0) != (change > 0) && count != 0) {
            long sign = count > 0 ? 1 : -1;
            long closed = std::min(std::abs(change), std::abs(count));
            long part = cost * closed / std::abs(count);
            profit += sign * closed * price - part;
            cost -= part;
            count -= sign * closed;
            change += sign * closed;
        }
        count += change;
        cost += change * price;
    }
};

class Accounts : public Listener {
public:
    void traded(const Trade &trade) override {
        positions[trade.buyer][trade.stock].trade(trade.count, trade.price);
        positions[trade.seller][trade.stock].trade(-trade.count, trade.price);
        // Who came last pays 3 of 1000, rounded up; the other 1 of 1000, rounded down.
        long money = trade.price * trade.count;
        fees[trade.bought ? trade.buyer : trade.seller] += (3 * money + 999) / 1000;
        fees[trade.bought ? trade.seller : trade.buyer] += money / 1000;
    }

    void print(const std::string &trader) const {
        auto found = positions.find(trader);
        if (found == positions.end())
            throw Refused(trader + " has not traded");
        long profit = 0;
        for (const auto &[stock, position] : found->second) {
            std::cout << "  " << stock << " " << position.count;
            if (position.count != 0)
                std::cout << " at " << position.cost / position.count;
            std::cout << ", profit " << position.profit << "\n";
            profit += position.profit;
        }
        std::cout << "  " << fees.at(trader) << " fees, " << profit - fees.at(trader) << " in all\n";
    }

private:
    std::map<std::string, std::map<std::string, Position>> positions;
    std::map<std::string, long> fees;
};

class Exchange {
public:
    Exchange() {
        auto made = std::make_unique<Accounts>();
        accounts = made.get();
        listeners.push_back(std::make_unique<Tape>());
        listeners.push_back(std::move(made));
    }

    void obey(const std::string &line) {
        std::istringstream words(line);
        std::string word, name;
        words >> word >> name;
        if (word == "buy" || word == "sell") {
            submit(name, word == "buy", words);
        } else if (word == "cancel") {
            cancel(whole(name));
        } else if (word == "amend") {
            amend(whole(name), words);
        } else if (word == "clock") {
            pass(whole(name));
        } else if (word == "account") {
            accounts->print(name);
        } else if (word == "stock") {
            long tick = 0, lot = 0, band = 0;
            if (!(words >> tick >> lot) || tick < 1 || lot < 1)
                throw Refused("tick and lot?");
            words >> band;
            if (!books.try_emplace(name, tick, lot, band).second)
                throw Refused(name + " exists");
        } else if (word == "call") {
            book_of(name).collecting = true;
        } else if (word == "open") {
            open(name);
        } else if (word == "book") {
            std::cout << name << "\n";
            book_of(name).print();
        } else if (word == "last") {
            const Book &book = book_of(name);
            std::cout << name << " " << book.last << ", " << book.volume << " traded";
            if (book.volume != 0)
                std::cout << ", " << book.turnover / book.volume << " on average";
            std::cout << "\n";
        } else {
            throw Refused(word + "?");
        }
    }

private:
    // Where an order waits.
    struct Place {
        std::string stock;
        bool buys, stop;
        Queue::iterator order; // if it is no stop
    };

    static int whole(const std::string &text) {
        int number = 0;
        char rest;
        std::istringstream words(text);
        if (!(words >> number) || words >> rest)
            throw Refused(text + " is no number");
        return number;
    }

    Book &book_of(const std::string &name) {
        auto found = books.find(name);
        if (found == books.end())
            throw Refused("no stock " + name);
        return found->second;
    }

    void submit(const std::string &trader, bool buys, std::istringstream &words) {
        Order order;
        order.trader = trader;
        order.buys = buys;
        std::string stock, word;
        words >> stock >> order.count >> word;
        Book &book = book_of(stock);
        if (word == "market")
            order.price = buys ? any_price : 0;
        else if (word != "at" || !(words >> order.price) || order.price <= 0)
            throw Refused("price?");
        // Nothing of a market order can rest.
        order.now = word == "market";
        while (words >> word) {
            if (word == "now")
                order.now = true;
            else if (word == "all")
                order.now = order.all = true;
            else if (word == "rest")
                order.rest = true;
            else if (word == "show" && words >> order.peak && order.peak > 0)
                continue;
            else if (word == "until" && words >> order.until && order.until > time)
                continue;
            else if (word == "stop" && words >> order.trigger && order.trigger > 0)
                continue;
            else
                throw Refused("option " + word);
        }
        book.check(order);
        if (book.collecting && order.now)
            throw Refused("there is an auction");
        order.id = ++orders;
        std::cout << "#" << order.id << "\n";
        if (order.until != 0)
            ends.emplace(order.until, order.id);
        if (order.trigger != 0 && !reached(order, book.last)) {
            places[order.id] = {stock, buys, true, {}};
            book.stops.emplace(order.id, order);
            return;
        }
        enter(stock, book, order);
        release(stock, book);
    }

    static bool reached(const Order &stop, long last) {
        return last != 0 && (stop.buys ? last >= stop.trigger : last <= stop.trigger);
    }

    // The stops that trades have reached, until there are none.
    void release(const std::string &stock, Book &book) {
        for (;;) {
            auto found = std::find_if(book.stops.begin(), book.stops.end(),
                                      [&](const auto &stop) { return reached(stop.second, book.last); });
            if (found == book.stops.end() || book.collecting)
                return;
            Order order = found->second;
            book.stops.erase(found);
            places.erase(order.id);
            std::cout << "  #" << order.id << " starts\n";
            enter(stock, book, order);
        }
    }

    void enter(const std::string &stock, Book &book, Order &order) {
        if (!book.collecting) {
            bool crosses = order.buys ? book.asks.crosses(order) : book.bids.crosses(order);
            if (order.rest && crosses) {
                std::cout << "  #" << order.id << " would trade\n";
                return;
            }
            if (order.all && (order.buys ? book.asks.available(order) : book.bids.available(order)) < order.count) {
                std::cout << "  #" << order.id << " cannot be filled\n";
                return;
            }
            auto traded = [&](const Order &maker, long count) {
                report(stock, book, order, maker, maker.price, count);
            };
            auto gone = [&](int id) { places.erase(id); };
            if (order.buys)
                book.asks.match(order, traded, gone);
            else
                book.bids.match(order, traded, gone);
        }
        if (order.count == 0)
            return;
        if (order.now) {
            std::cout << "  #" << order.id << " ends, " << order.count << " left\n";
            return;
        }
        places[order.id] = {stock, order.buys, false, order.buys ? book.bids.add(order) : book.asks.add(order)};
    }

    void report(const std::string &stock, Book &book, const Order &taker, const Order &maker, long price, long count) {
        book.last = price;
        book.volume += count;
        book.turnover += count * price;
        Trade trade{stock, taker.trader, maker.trader, price, count, taker.buys};
        if (!taker.buys)
            std::swap(trade.buyer, trade.seller);
        for (const auto &listener : listeners)
            listener->traded(trade);
    }

    void open(const std::string &name) {
        Book &book = book_of(name);
        if (!book.collecting)
            throw Refused("no auction");
        book.collecting = false;
        long price = book.auction_price();
        // All trade at one price, the best buyers first.
        while (price != 0 && !book.bids.levels.empty() && book.bids.levels.begin()->first >= price) {
            Queue::iterator first = book.bids.levels.begin()->second.begin();
            Order buyer = *first;
            buyer.price = price;
            auto traded = [&](const Order &maker, long count) { report(name, book, buyer, maker, price, count); };
            book.asks.match(buyer, traded, [&](int id) { places.erase(id); });
            first->count = buyer.count;
            if (buyer.count != 0) {
                first->show_more();
                break;
            }
            places.erase(buyer.id);
            book.bids.remove(first);
        }
        release(name, book);
    }

    Place &place_of(int id) {
        auto found = places.find(id);
        if (found == places.end())
            throw Refused("no order " + std::to_string(id));
        return found->second;
    }

    void cancel(int id) {
        const Place &place = place_of(id);
        Book &book = book_of(place.stock);
        if (place.stop)
            book.stops.erase(id);
        else if (place.buys)
            book.bids.remove(place.order);
        else
            book.asks.remove(place.order);
        places.erase(id);
    }

    void amend(int id, std::istringstream &words) {
        const Place place = place_of(id);
        Book &book = book_of(place.stock);
        Order order = place.stop ? book.stops.at(id) : *place.order;
        long price = order.price, count = order.count;
        if (!(words >> order.count))
            throw Refused("count?");
        if (long asked = 0; words >> asked) {
            if (asked <= 0)
                throw Refused("price?");
            order.price = asked;
        }
        book.check(order);
        if (place.stop) {
            book.stops.at(id) = order;
        } else if (order.price == price && order.count <= count) {
            // Less of the same keeps its place in the queue.
            order.shown = std::min(order.shown, order.count);
            *place.order = order;
        } else {
            cancel(id);
            enter(place.stock, book, order);
            release(place.stock, book);
        }
    }

    void pass(int now) {
        if (now < time)
            throw Refused("time goes on");
        time = now;
        while (!ends.empty() && ends.top().first <= time) {
            int id = ends.top().second;
            ends.pop();
            if (places.count(id) != 0) {
                std::cout << "  #" << id << " expires\n";
                cancel(id);
            }
        }
    }

    std::map<std::string, Book> books;
    std::unordered_map<int, Place> places;
    std::vector<std::unique_ptr<Listener>> listeners;
    Accounts *accounts = nullptr;
    using End = std::pair<int, int>; // time, order
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    int orders = 0, time = 0;
};

} // namespace

int main() {
    Exchange exchange;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        try {
            exchange.obey(line);
        } catch (const Refused &refused) {
            std::cout << "refused: " << refused.what() << "\n";
        }
    }
}
