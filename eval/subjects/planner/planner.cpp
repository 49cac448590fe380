// A calendar. Commands on standard input:
//
//   once NAME DATE HH:MM MINUTES                 an appointment
//   daily NAME DATE HH:MM MINUTES COUNT          and COUNT - 1 days after it
//   weekly NAME DATE HH:MM MINUTES COUNT DAYS    on DAYS such as mo,we,fr, COUNT times in all
//   monthly NAME DATE HH:MM MINUTES COUNT        on the same day of the month, or its last day if it has fewer
//   cancel NAME [DATE]                           all, or what begins on that day
//   day DATE, week DATE, free DATE MINUTES, conflicts, next DATE HH:MM
//
// DATE is YYYY-MM-DD; `free` looks between 08:00 and 18:00.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Days since 1970-01-01, which was a Thursday.
class Date {
public:
    Date() = default;
    explicit Date(int days) : days(days) {}

    Date(int year, int month, int day) {
        int y = year, m = month;
        // Years begin in March, so that the leap day comes last.
        if (m <= 2) {
            y--;
            m += 12;
        }
        days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * (m - 3) + 2) / 5 + day - 1 - 719468;
    }

    static bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

    static int length(int year, int month) {
        static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        return month == 2 && leap(year) ? 29 : lengths[month - 1];
    }

    void split(int &year, int &month, int &day) const {
        year = 1970;
        int rest = days;
        while (rest < 0)
            rest += leap(--year) ? 366 : 365;
        while (rest >= (leap(year) ? 366 : 365))
            rest -= leap(year++) ? 366 : 365;
        month = 1;
        while (rest >= length(year, month))
            rest -= length(year, month++);
        day = rest + 1;
    }

    // 0: Monday.
    int weekday() const { return ((days + 3) % 7 + 7) % 7; }

    std::string text() const {
        int year, month, day;
        split(year, month, day);
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d", year, month, day);
        return buffer;
    }

    int number() const { return days; }

private:
    int days = 0;
};

static const char *const weekdays[] = {"mo", "tu", "we", "th", "fr", "sa", "su"};

// Minutes since the beginning of 1970.
struct Slot {
    long begin, end;
    bool overlaps(const Slot &other) const { return begin < other.end && other.begin < end; }
};

class Event {
public:
    Event(std::string name, Date first, int minute, int length)
        : name(std::move(name)), first(first), minute(minute), length(length) {}
    virtual ~Event() = default;

    // The days it is on, in order.
    virtual std::vector<Date> dates() const = 0;

    std::vector<Slot> slots() const {
        std::vector<Slot> found;
        for (Date date : dates()) {
            if (cancelled.count(date.number()) != 0)
                continue;
            long begin = 1440L * date.number() + minute;
            found.push_back({begin, begin + length});
        }
        return found;
    }

    bool cancel(Date date) {
        for (Date on : dates())
            if (on.number() == date.number())
                return cancelled.insert(date.number()).second;
        return false;
    }

    const std::string name;

protected:
    Date first;
    int minute, length;

private:
    std::set<int> cancelled;
};

class Once : public Event {
public:
    using Event::Event;
    std::vector<Date> dates() const override { return {first}; }
};

class Repeated : public Event {
public:
    Repeated(std::string name, Date first, int minute, int length, int count)
        : Event(std::move(name), first, minute, length), count(count) {}

protected:
    int count;
};

class Daily : public Repeated {
public:
    using Repeated::Repeated;
    std::vector<Date> dates() const override {
        std::vector<Date> all;
        for (int i = 0; i < count; i++)
            all.push_back(Date(first.number() + i));
        return all;
    }
};

class Weekly : public Repeated {
public:
    Weekly(std::string name, Date first, int minute, int length, int count, unsigned days)
        : Repeated(std::move(name), first, minute, length, count), days(days) {}

    std::vector<Date> dates() const override {
        std::vector<Date> all;
        for (Date date = first; static_cast<int>(all.size()) < count; date = Date(date.number() + 1))
            if (days >> date.weekday() & 1)
                all.push_back(date);
        return all;
    }

private:
    unsigned days; // one bit each
};

class Monthly : public Repeated {
public:
    using Repeated::Repeated;
    std::vector<Date> dates() const override {
        std::vector<Date> all;
        int year, month, day;
        first.split(year, month, day);
        for (int i = 0; i < count; i++) {
            int m = month - 1 + i;
            int y = year + m / 12;
            m = m % 12 + 1;
            all.push_back(Date(y, m, std::min(day, Date::length(y, m))));
        }
        return all;
    }
};

struct Entry {
    Slot slot;
    const Event *event;
};

struct Trouble : std::runtime_error {
    using std::runtime_error::runtime_error;
};

static Date parse_date(const std::string &text) {
    int year, month, day;
    char rest;
    if (std::sscanf(text.c_str(), "%d-%d-%d%c", &year, &month, &day, &rest) != 3 || year < 1900 || year > 2200 ||
        month < 1 || month > 12 || day < 1 || day > Date::length(year, month))
        throw Trouble("bad date " + text);
    return Date(year, month, day);
}

static int parse_time(const std::string &text) {
    int hour, minute;
    char rest;
    if (std::sscanf(text.c_str(), "%d:%d%c", &hour, &minute, &rest) != 2 || hour < 0 || hour > 23 || minute < 0 ||
        minute > 59)
        throw Trouble("bad time " + text);
    return 60 * hour + minute;
}

static unsigned parse_days(const std::string &text) {
    unsigned days = 0;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        auto found = std::find(std::begin(weekdays), std::end(weekdays), word);
        if (found == std::end(weekdays))
            throw Trouble("bad day " + word);
        days |= 1u << (found - std::begin(weekdays));
    }
    if (days == 0)
        throw Trouble("no days");
    return days;
}

static std::string clock_text(long minutes) {
    char buffer[32];
    long of_day = minutes % 1440;
    std::snprintf(buffer, sizeof buffer, "%02ld:%02ld", of_day / 60, of_day % 60);
    return buffer;
}

class Planner {
public:
    void add(std::unique_ptr<Event> event) {
        for (const auto &other : events)
            if (other->name == event->name)
                throw Trouble(event->name + " exists");
        events.push_back(std::move(event));
    }

    void cancel(const std::string &name, const std::string &date) {
        auto found = std::find_if(events.begin(), events.end(), [&](const auto &e) { return e->name == name; });
        if (found == events.end())
            throw Trouble("no event " + name);
        if (date.empty())
            events.erase(found);
        else if (!(*found)->cancel(parse_date(date)))
            throw Trouble(name + " is not on " + date);
    }

    // What touches a span of time, in order.
    std::vector<Entry> between(long begin, long end) const {
        std::vector<Entry> found;
        for (const auto &event : events)
            for (const Slot &slot : event->slots())
                if (slot.overlaps({begin, end}))
                    found.push_back({slot, event.get()});
        std::sort(found.begin(), found.end(), [](const Entry &a, const Entry &b) {
            if (a.slot.begin != b.slot.begin)
                return a.slot.begin < b.slot.begin;
            if (a.slot.end != b.slot.end)
                return a.slot.end < b.slot.end;
            return a.event->name < b.event->name;
        });
        return found;
    }

    void show_day(Date date) const {
        long begin = 1440L * date.number();
        std::cout << date.text() << " " << weekdays[date.weekday()] << "\n";
        for (const Entry &entry : between(begin, begin + 1440)) {
            // What began the day before or ends the day after is marked.
            std::cout << "  " << (entry.slot.begin < begin ? "..." : "") << clock_text(entry.slot.begin) << "-"
                      << clock_text(entry.slot.end) << (entry.slot.end > begin + 1440 ? "..." : "") << " "
                      << entry.event->name << "\n";
        }
    }

    void show_week(Date date) const {
        int monday = date.number() - date.weekday();
        long total = 0;
        for (int day = monday; day < monday + 7; day++)
            show_day(Date(day));
        for (const Entry &entry : between(1440L * monday, 1440L * (monday + 7)))
            total += std::min(entry.slot.end, 1440L * (monday + 7)) - std::max(entry.slot.begin, 1440L * monday);
        std::cout << total / 60 << " h " << total % 60 << " min\n";
    }

    void show_free(Date date, int length) const {
        long from = 1440L * date.number() + 8 * 60, until = 1440L * date.number() + 18 * 60;
        long free_since = from;
        bool any = false;
        auto offer = [&](long end) {
            if (end - free_since >= length) {
                std::cout << "  " << clock_text(free_since) << "-" << clock_text(end) << "\n";
                any = true;
            }
        };
        for (const Entry &entry : between(from, until)) {
            if (entry.slot.begin > free_since)
                offer(entry.slot.begin);
            free_since = std::max(free_since, entry.slot.end);
        }
        offer(until);
        if (!any)
            std::cout << "  nothing free\n";
    }

    void show_conflicts() const {
        auto all = between(-1'000'000'000L, 1'000'000'000L);
        int count = 0;
        for (size_t i = 0; i < all.size(); i++) {
            for (size_t k = i + 1; k < all.size() && all[k].slot.begin < all[i].slot.end; k++) {
                std::cout << Date(static_cast<int>(all[k].slot.begin / 1440)).text() << " "
                          << clock_text(all[k].slot.begin) << " " << all[i].event->name << " " << all[k].event->name
                          << "\n";
                count++;
            }
        }
        std::cout << count << " conflicts\n";
    }

    void show_next(Date date, int minute) const {
        long now = 1440L * date.number() + minute;
        const Entry *best = nullptr;
        auto all = between(now, 1'000'000'000L);
        for (const Entry &entry : all) {
            if (entry.slot.begin >= now) {
                best = &entry;
                break;
            }
        }
        if (best == nullptr) {
            std::cout << "nothing\n";
            return;
        }
        long wait = best->slot.begin - now;
        std::cout << best->event->name << " on " << Date(static_cast<int>(best->slot.begin / 1440)).text() << " at "
                  << clock_text(best->slot.begin) << ", in " << wait / 1440 << " d " << wait % 1440 / 60 << " h "
                  << wait % 60 << " min\n";
    }

private:
    std::vector<std::unique_ptr<Event>> events;
};

static std::unique_ptr<Event> make_event(const std::string &kind, std::istringstream &words) {
    std::string name, date, time, days;
    int length = 0, count = 0;
    if (!(words >> name >> date >> time >> length) || length < 1 || length > 2880)
        throw Trouble("bad " + kind);
    Date first = parse_date(date);
    int minute = parse_time(time);
    if (kind == "once")
        return std::make_unique<Once>(name, first, minute, length);
    if (!(words >> count) || count < 1 || count > 500)
        throw Trouble("bad count of " + kind);
    if (kind == "daily")
        return std::make_unique<Daily>(name, first, minute, length, count);
    if (kind == "monthly")
        return std::make_unique<Monthly>(name, first, minute, length, count);
    words >> days;
    return std::make_unique<Weekly>(name, first, minute, length, count, parse_days(days));
}

static void obey(Planner &planner, const std::string &line) {
    std::istringstream words(line);
    std::string word, a, b;
    if (!(words >> word) || word[0] == '#')
        return;
    if (word == "once" || word == "daily" || word == "weekly" || word == "monthly") {
        planner.add(make_event(word, words));
        return;
    }
    words >> a >> b;
    if (word == "cancel")
        planner.cancel(a, b);
    else if (word == "day")
        planner.show_day(parse_date(a));
    else if (word == "week")
        planner.show_week(parse_date(a));
    else if (word == "free")
        planner.show_free(parse_date(a), std::max(1, std::atoi(b.c_str())));
    else if (word == "conflicts")
        planner.show_conflicts();
    else if (word == "next")
        planner.show_next(parse_date(a), parse_time(b));
    else
        throw Trouble(word + "?");
}

int main() {
    Planner planner;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            obey(planner, line);
        } catch (const Trouble &trouble) {
            std::cout << "! " << trouble.what() << "\n";
        }
    }
}
