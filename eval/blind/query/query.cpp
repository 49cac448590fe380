// Queries about tables. Lines of standard input:
//
//   table NAME               and the lines up to one that is only `end` are its CSV, header first
//   view NAME = QUERY        a query that can be used like a table
//   QUERY                    from NAME, then any number of stages, each after a |:
//
//      where E               select E [as N], ...       add E as N          sort E [desc], ...
//      take N [skip M]       distinct                   join NAME on E      left NAME on E
//      group N, ... : count, sum E, avg E, min E, max E [as N], ...
//
// A column is NAME or TABLE.NAME. Unknown values are null, with the usual logic of three values.
#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct Trouble : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Value = std::variant<std::monostate, long long, double, std::string>;
using Row = std::vector<Value>;

static bool is_null(const Value &value) { return std::holds_alternative<std::monostate>(value); }
static bool is_text(const Value &value) { return std::holds_alternative<std::string>(value); }
static bool is_whole(const Value &value) { return std::holds_alternative<long long>(value); }

static double number_of(const Value &value) {
    if (is_whole(value))
        return static_cast<double>(std::get<long long>(value));
    if (!std::holds_alternative<double>(value))
        throw Trouble("that is no number");
    return std::get<double>(value);
}

static std::string show(const Value &value) {
    if (is_null(value))
        return "null";
    if (is_text(value))
        return std::get<std::string>(value);
    if (is_whole(value))
        return std::to_string(std::get<long long>(value));
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.3f", std::get<double>(value));
    std::string text = buffer;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

// Null comes before numbers, numbers before text.
static int order(const Value &a, const Value &b) {
    auto rank = [](const Value &value) { return is_null(value) ? 0 : is_text(value) ? 2 : 1; };
    if (rank(a) != rank(b))
        return rank(a) < rank(b) ? -1 : 1;
    if (is_null(a))
        return 0;
    if (is_text(a))
        return std::get<std::string>(a).compare(std::get<std::string>(b));
    auto compare = [](auto x, auto y) { return x < y ? -1 : x > y; };
    if (is_whole(a) && is_whole(b))
        return compare(std::get<long long>(a), std::get<long long>(b));
    return compare(number_of(a), number_of(b));
}

struct RowLess {
    bool operator()(const Row &a, const Row &b) const {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                            [](const Value &x, const Value &y) { return order(x, y) < 0; });
    }
};

// Neither true nor false: unknown.
using Truth = std::optional<bool>;

static Truth truth_of(const Value &value) {
    if (is_null(value))
        return std::nullopt;
    return is_text(value) ? !std::get<std::string>(value).empty() : number_of(value) != 0;
}

static Value value_of(Truth truth) { return truth ? Value(static_cast<long long>(*truth)) : Value(); }

// A number, if the text is all of one.
static std::optional<Value> number_in(const std::string &text) {
    size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
    size_t digits = 0, points = 0;
    for (; at < text.size(); at++) {
        if (std::isdigit(static_cast<unsigned char>(text[at])))
            digits++;
        else if (text[at] == '.' && points == 0)
            points++;
        else
            return std::nullopt;
    }
    if (digits == 0 || digits > 18)
        return std::nullopt;
    return points != 0 ? Value(std::stod(text)) : Value(std::stoll(text));
}

struct Column {
    std::string table, name;
};

struct Relation {
    std::vector<Column> columns;
    std::vector<Row> rows;

    // The index of the only column of that name.
    size_t find(const std::string &table, const std::string &name) const {
        std::optional<size_t> found;
        for (size_t i = 0; i < columns.size(); i++) {
            if (columns[i].name != name || (!table.empty() && columns[i].table != table))
                continue;
            if (found)
                throw Trouble("which " + name + "?");
            found = i;
        }
        if (!found)
            throw Trouble("no column " + name);
        return *found;
    }
};

static Row cells_of(const std::string &line) {
    Row row;
    for (size_t at = 0;; at++) {
        std::string cell;
        bool quoted = at < line.size() && line[at] == '"';
        if (quoted) {
            for (at++;; at++) {
                if (at >= line.size())
                    throw Trouble("no end of quotes");
                if (line[at] == '"') {
                    // Two of them are one in the text.
                    if (at + 1 < line.size() && line[at + 1] == '"')
                        at++;
                    else
                        break;
                }
                cell += line[at];
            }
            at++;
        }
        while (at < line.size() && line[at] != ',')
            cell += line[at++];
        if (quoted)
            row.emplace_back(cell);
        else
            row.push_back(cell.empty() ? Value() : number_in(cell).value_or(Value(cell)));
        if (at >= line.size())
            return row;
    }
}

// ---- expressions

struct Expr {
    virtual ~Expr() = default;
    virtual Value value(const Row &row) const = 0;
    virtual void bind(const Relation &) {} // finds the columns
    virtual std::string name() const { return "value"; }
};

using ExprPtr = std::unique_ptr<Expr>;

struct Literal : Expr {
    explicit Literal(Value value) : held(std::move(value)) {}
    Value value(const Row &) const override { return held; }
    const Value held;
};

struct ColumnRef : Expr {
    ColumnRef(std::string table, std::string column) : table(std::move(table)), column(std::move(column)) {}
    Value value(const Row &row) const override {
        assert(index < row.size());
        return row[index];
    }
    void bind(const Relation &relation) override { index = relation.find(table, column); }
    std::string name() const override { return column; }
    const std::string table, column;
    size_t index = 0;
};

// Arithmetic is with whole numbers if both are.
template <class F> Value arithmetic(const Value &a, const Value &b, F compute) {
    if (is_whole(a) && is_whole(b))
        return compute(std::get<long long>(a), std::get<long long>(b));
    return compute(number_of(a), number_of(b));
}

static const auto divide = [](auto x, auto y) { return y == 0 ? Value() : Value(x / y); };

struct Operator {
    int level;
    // None: `and`, `or`. It never sees null.
    Value (*compute)(const Value &, const Value &);
};

using V = const Value &;
static const std::map<std::string, Operator> operators = {
    {"or", {1, nullptr}},
    {"and", {2, nullptr}},
    {"=", {3, [](V a, V b) { return value_of(order(a, b) == 0); }}},
    {"<>", {3, [](V a, V b) { return value_of(order(a, b) != 0); }}},
    {"<", {3, [](V a, V b) { return value_of(order(a, b) < 0); }}},
    {"<=", {3, [](V a, V b) { return value_of(order(a, b) <= 0); }}},
    {">", {3, [](V a, V b) { return value_of(order(a, b) > 0); }}},
    {">=", {3, [](V a, V b) { return value_of(order(a, b) >= 0); }}},
    {"has", {3, [](V a, V b) { return value_of(show(a).find(show(b)) != std::string::npos); }}},
    {"&", {4, [](V a, V b) { return Value(show(a) + show(b)); }}},
    {"+", {5, [](V a, V b) { return arithmetic(a, b, [](auto x, auto y) { return Value(x + y); }); }}},
    {"-", {5, [](V a, V b) { return arithmetic(a, b, [](auto x, auto y) { return Value(x - y); }); }}},
    {"*", {6, [](V a, V b) { return arithmetic(a, b, [](auto x, auto y) { return Value(x * y); }); }}},
    {"/", {6, [](V a, V b) { return arithmetic(a, b, divide); }}},
};

struct Unary : Expr {
    Unary(std::string sign, ExprPtr operand) : sign(std::move(sign)), operand(std::move(operand)) {}
    void bind(const Relation &relation) override { operand->bind(relation); }
    Value value(const Row &row) const override {
        Value a = operand->value(row);
        if (sign == "known")
            return value_of(!is_null(a));
        if (is_null(a))
            return {};
        if (sign == "not")
            return value_of(!*truth_of(a));
        return is_whole(a) ? Value(-std::get<long long>(a)) : Value(-number_of(a));
    }
    const std::string sign;
    const ExprPtr operand;
};

struct Binary : Expr {
    Binary(const std::string &sign, ExprPtr left, ExprPtr right)
        : is_and(sign == "and"), compute(operators.at(sign).compute), left(std::move(left)), right(std::move(right)) {}
    void bind(const Relation &relation) override {
        left->bind(relation);
        right->bind(relation);
    }

    Value value(const Row &row) const override {
        Value a = left->value(row), b = right->value(row);
        if (compute != nullptr)
            return is_null(a) || is_null(b) ? Value() : compute(a, b);
        // What decides: false for `and`, true for `or`.
        for (Truth side : {truth_of(a), truth_of(b)})
            if (side && *side != is_and)
                return value_of(side);
        return is_null(a) || is_null(b) ? Value() : value_of(is_and);
    }
    const bool is_and;
    Value (*const compute)(const Value &, const Value &);
    const ExprPtr left, right;
};

// ---- stages

static bool holds(const Expr &condition, const Row &row) { return truth_of(condition.value(row)).value_or(false); }

struct Item {
    ExprPtr expr;
    std::string name;
};

struct Key {
    ExprPtr expr;
    bool descending;
};

// `all`: the columns there are remain, the others come after them.
static void project(Relation &relation, const std::vector<Item> &items, bool all) {
    for (const Item &item : items)
        item.expr->bind(relation);
    if (!all)
        relation.columns.clear();
    for (const Item &item : items)
        relation.columns.push_back({"", item.name});
    for (Row &row : relation.rows) {
        Row made = all ? row : Row();
        for (const Item &item : items)
            made.push_back(item.expr->value(row));
        row = std::move(made);
    }
}

static void sort(Relation &relation, const std::vector<Key> &keys) {
    for (const Key &key : keys)
        key.expr->bind(relation);
    // The sort of a list leaves equal rows in order.
    std::list<Row> rows(relation.rows.begin(), relation.rows.end());
    rows.sort([&](const Row &a, const Row &b) {
        for (const Key &key : keys)
            if (int c = order(key.expr->value(a), key.expr->value(b)); c != 0)
                return key.descending ? c > 0 : c < 0;
        return false;
    });
    relation.rows.assign(rows.begin(), rows.end());
}

// `left`: rows without a partner remain.
static void join(Relation &relation, const Relation &right, ExprPtr on, bool left) {
    relation.columns.insert(relation.columns.end(), right.columns.begin(), right.columns.end());
    on->bind(relation);
    std::vector<Row> joined;
    for (Row &row : relation.rows) {
        bool any = false;
        for (const Row &other : right.rows) {
            Row both = row;
            both.insert(both.end(), other.begin(), other.end());
            if (holds(*on, both)) {
                joined.push_back(std::move(both));
                any = true;
            }
        }
        if (left && !any) {
            row.resize(relation.columns.size());
            joined.push_back(std::move(row));
        }
    }
    relation.rows = std::move(joined);
}

// What is known of a group.
struct Tally {
    long long count = 0, whole = 0;
    double real = 0;
    bool all_whole = true, any_text = false;
    Value least, greatest;

    void add(const Value &value) {
        if (is_null(value))
            return;
        if (count == 0 || order(value, least) < 0)
            least = value;
        if (count == 0 || order(value, greatest) > 0)
            greatest = value;
        count++;
        all_whole = all_whole && is_whole(value);
        any_text = any_text || is_text(value);
        if (is_whole(value))
            whole += std::get<long long>(value);
        if (!is_text(value))
            real += number_of(value);
    }

    Value result(const std::string &kind) const {
        if (kind == "count")
            return count;
        if (kind == "min" || kind == "max" || count == 0)
            return kind == "min" ? least : greatest;
        if (any_text)
            throw Trouble(kind + " of text");
        if (kind == "avg")
            return real / static_cast<double>(count);
        return all_whole ? Value(whole) : Value(real);
    }
};

struct Total {
    std::string kind;
    Item item; // without expression: all rows
};

static Relation group(const Relation &input, const std::vector<Item> &keys, const std::vector<Total> &totals) {
    Relation output;
    for (const Item &key : keys) {
        key.expr->bind(input);
        output.columns.push_back({"", key.name});
    }
    for (const Total &total : totals) {
        if (total.item.expr)
            total.item.expr->bind(input);
        output.columns.push_back({"", total.item.name});
    }
    std::map<Row, std::vector<Tally>, RowLess> groups;
    // Without keys there is one group, even if it is empty.
    if (keys.empty())
        groups[{}].resize(totals.size());
    for (const Row &row : input.rows) {
        Row values;
        for (const Item &key : keys)
            values.push_back(key.expr->value(row));
        auto &tallies = groups[values];
        tallies.resize(totals.size());
        for (size_t i = 0; i < totals.size(); i++)
            tallies[i].add(totals[i].item.expr ? totals[i].item.expr->value(row) : Value(1LL));
    }
    for (const auto &[values, tallies] : groups) {
        output.rows.push_back(values);
        for (size_t i = 0; i < totals.size(); i++)
            output.rows.back().push_back(tallies[i].result(totals[i].kind));
    }
    return output;
}

// ---- statements

struct Token {
    enum Kind { word, number, text, symbol, end } kind;
    std::string spelling;
};

static std::vector<Token> tokens_of(const std::string &line) {
    std::vector<Token> tokens;
    auto at_word = [&](size_t at) {
        return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
    };
    for (size_t at = 0; at < line.size();) {
        size_t from = at;
        if (line[at] == ' ') {
            at++;
        } else if (at_word(at)) {
            bool digit = std::isdigit(static_cast<unsigned char>(line[at])) != 0;
            while (at_word(at) || (digit && at < line.size() && line[at] == '.'))
                at++;
            tokens.push_back({digit ? Token::number : Token::word, line.substr(from, at - from)});
        } else if (line[at] == '\'') {
            size_t close = line.find('\'', at + 1);
            if (close == std::string::npos)
                throw Trouble("no end of text");
            tokens.push_back({Token::text, line.substr(at + 1, close - at - 1)});
            at = close + 1;
        } else {
            static const std::set<std::string> pairs = {"<=", ">=", "<>"};
            at += pairs.count(line.substr(at, 2)) != 0 ? 2 : 1;
            tokens.push_back({Token::symbol, line.substr(from, at - from)});
        }
    }
    tokens.push_back({Token::end, "the end"});
    return tokens;
}

class Parser {
public:
    explicit Parser(const std::string &line) : tokens(tokens_of(line)) {}

    bool accept(const std::string &spelling) {
        if ((now().kind != Token::word && now().kind != Token::symbol) || now().spelling != spelling)
            return false;
        at++;
        return true;
    }

    void expect(const std::string &spelling) {
        if (!accept(spelling))
            throw Trouble(spelling + " before " + now().spelling + "?");
    }

    std::string name() {
        if (now().kind != Token::word)
            throw Trouble("a name before " + now().spelling + "?");
        return tokens[at++].spelling;
    }

    Value number() {
        auto number = number_in(now().spelling);
        if (!number)
            throw Trouble("a number before " + now().spelling + "?");
        at++;
        return *number;
    }

    size_t count() { return static_cast<size_t>(number_of(number())); }

    void finish() {
        if (now().kind != Token::end)
            throw Trouble("what is " + now().spelling + "?");
    }

    template <class F> auto list(F one) {
        std::vector<decltype(one())> all;
        do
            all.push_back(one());
        while (accept(","));
        return all;
    }

    Item item() {
        ExprPtr made = expr();
        std::string name = made->name();
        return {std::move(made), accept("as") ? this->name() : name};
    }

    Key key() { return {expr(), accept("desc")}; }

    Total total() {
        Total total{name(), {}};
        static const std::set<std::string> kinds = {"count", "sum", "avg", "min", "max"};
        if (kinds.count(total.kind) == 0)
            throw Trouble("no total " + total.kind);
        total.item.name = total.kind;
        if (total.kind != "count" || (now().kind == Token::word && now().spelling != "as"))
            total.item.expr = expr();
        if (accept("as"))
            total.item.name = name();
        return total;
    }

    // Operators of at least that level.
    ExprPtr expr(int level = 1) {
        ExprPtr left = accept("not") ? std::make_unique<Unary>("not", expr(3)) : primary();
        for (;;) {
            auto found = now().kind == Token::text ? operators.end() : operators.find(now().spelling);
            if (found == operators.end() || found->second.level < level)
                return left;
            at++;
            left = std::make_unique<Binary>(found->first, std::move(left), expr(found->second.level + 1));
        }
    }

private:
    const Token &now() const { return tokens[at]; }

    ExprPtr primary() {
        for (const char *sign : {"-", "known"})
            if (accept(sign))
                return std::make_unique<Unary>(sign, primary());
        if (accept("(")) {
            ExprPtr inner = expr();
            expect(")");
            return inner;
        }
        if (accept("null"))
            return std::make_unique<Literal>(Value());
        if (now().kind == Token::text)
            return std::make_unique<Literal>(tokens[at++].spelling);
        if (now().kind == Token::number)
            return std::make_unique<Literal>(number());
        std::string first = name();
        if (accept("."))
            return std::make_unique<ColumnRef>(first, name());
        return std::make_unique<ColumnRef>("", first);
    }

    std::vector<Token> tokens;
    size_t at = 0;
};

class Database {
public:
    void obey(const std::string &line) {
        Parser parser(line);
        if (parser.accept("table")) {
            std::string name = parser.name();
            parser.finish();
            read(name);
        } else if (parser.accept("view")) {
            std::string name = parser.name();
            parser.expect("=");
            must_be_new(name);
            views[name] = line.substr(line.find('=') + 1);
        } else {
            busy.clear();
            print(query(parser));
        }
    }

private:
    void must_be_new(const std::string &name) const {
        if (tables.count(name) + views.count(name) != 0)
            throw Trouble(name + " exists");
    }

    void read(const std::string &name) {
        std::vector<std::string> lines;
        for (std::string line; std::getline(std::cin, line) && line != "end";)
            lines.push_back(line);
        must_be_new(name);
        if (lines.empty())
            throw Trouble("no header");
        Relation table;
        for (const Value &cell : cells_of(lines[0]))
            table.columns.push_back({name, show(cell)});
        for (size_t i = 1; i < lines.size(); i++) {
            Row row = cells_of(lines[i]);
            if (row.size() > table.columns.size())
                throw Trouble("too many cells");
            row.resize(table.columns.size());
            table.rows.push_back(std::move(row));
        }
        tables[name] = std::move(table);
    }

    Relation fetch(const std::string &name) {
        if (auto table = tables.find(name); table != tables.end())
            return table->second;
        auto view = views.find(name);
        if (view == views.end())
            throw Trouble("no table " + name);
        if (!busy.insert(name).second)
            throw Trouble(name + " is a view of itself");
        Parser parser(view->second);
        Relation relation = query(parser);
        busy.erase(name);
        for (Column &column : relation.columns)
            column.table = name;
        return relation;
    }

    Relation query(Parser &parser) {
        parser.expect("from");
        Relation relation = fetch(parser.name());
        while (parser.accept("|"))
            stage(parser, relation);
        parser.finish();
        return relation;
    }

    void stage(Parser &parser, Relation &relation) {
        std::string kind = parser.name();
        if (kind == "where") {
            ExprPtr condition = parser.expr();
            condition->bind(relation);
            std::erase_if(relation.rows, [&](const Row &row) { return !holds(*condition, row); });
        } else if (kind == "select" || kind == "add") {
            project(relation, parser.list([&] { return parser.item(); }), kind == "add");
        } else if (kind == "sort") {
            sort(relation, parser.list([&] { return parser.key(); }));
        } else if (kind == "take") {
            size_t count = parser.count(), skip = parser.accept("skip") ? parser.count() : 0;
            auto &rows = relation.rows;
            rows.erase(rows.begin(), rows.begin() + static_cast<long>(std::min(skip, rows.size())));
            rows.resize(std::min(count, rows.size()));
        } else if (kind == "distinct") {
            std::set<Row, RowLess> seen;
            std::erase_if(relation.rows, [&](const Row &row) { return !seen.insert(row).second; });
        } else if (kind == "join" || kind == "left") {
            Relation right = fetch(parser.name());
            parser.expect("on");
            join(relation, right, parser.expr(), kind == "left");
        } else if (kind == "group") {
            std::vector<Item> keys;
            if (!parser.accept(":")) {
                keys = parser.list([&] { return parser.item(); });
                parser.expect(":");
            }
            relation = group(relation, keys, parser.list([&] { return parser.total(); }));
        } else {
            throw Trouble("no stage " + kind);
        }
    }

    static void print(const Relation &relation) {
        std::vector<size_t> widths;
        std::string line, dashes;
        auto add = [&](size_t i, const std::string &text, bool right) {
            std::string space(widths[i] - text.size(), ' ');
            line += (i == 0 ? "" : " | ") + (right ? space + text : text + space);
        };
        for (size_t i = 0; i < relation.columns.size(); i++) {
            size_t width = relation.columns[i].name.size();
            for (const Row &row : relation.rows)
                width = std::max(width, show(row.at(i)).size());
            widths.push_back(width);
            add(i, relation.columns[i].name, false);
            dashes += (i == 0 ? "" : "-+-") + std::string(width, '-');
        }
        std::cout << line << "\n" << dashes << "\n";
        for (const Row &row : relation.rows) {
            assert(row.size() == widths.size());
            line.clear();
            for (size_t i = 0; i < row.size(); i++)
                add(i, show(row[i]), !is_null(row[i]) && !is_text(row[i]));
            std::cout << line << "\n";
        }
        std::cout << relation.rows.size() << (relation.rows.size() == 1 ? " row\n" : " rows\n");
    }

    std::map<std::string, Relation> tables;
    std::map<std::string, std::string> views;
    std::set<std::string> busy; // the views that are being computed
};

int main() {
    Database database;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        try {
            database.obey(line);
        } catch (const Trouble &trouble) {
            std::cout << "! " << trouble.what() << "\n";
        }
    }
}
