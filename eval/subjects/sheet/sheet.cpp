// A spreadsheet: lines such as `A1 = 3`, `B2 = A1*2 + SUM(A1:A9)`, `C1 = "text"`; then `print A1:C3`, `show B2`
// (its formula), `clear A1`, `copy B2 B3:B9` (references are moved along unless they have a $).
#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Place {
    int column = 0, row = 0;
    auto operator<=>(const Place &) const = default;
};

struct Trouble : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Sheet;

class Formula {
public:
    virtual ~Formula() = default;
    virtual double value(Sheet &sheet) const = 0;
    virtual std::string text() const = 0;
    // A copy with references moved.
    virtual std::unique_ptr<Formula> moved(int columns, int rows) const = 0;
    // How tightly it holds together; 9: a single thing.
    virtual int strength() const { return 9; }
};

using FormulaPtr = std::unique_ptr<Formula>;

struct Cell {
    FormulaPtr formula;
    std::string label; // when there is no formula
    std::optional<double> known;
    bool busy = false;
};

class Sheet {
public:
    void set(Place place, Cell cell) {
        cells[place] = std::move(cell);
        forget();
    }

    void clear(Place place) {
        cells.erase(place);
        forget();
    }

    const Cell *find(Place place) const {
        auto found = cells.find(place);
        return found == cells.end() ? nullptr : &found->second;
    }

    // An empty cell and a label count as 0.
    double value(Place place) {
        auto found = cells.find(place);
        if (found == cells.end() || !found->second.formula)
            return 0;
        Cell &cell = found->second;
        if (cell.known)
            return *cell.known;
        if (cell.busy)
            throw Trouble("circle");
        cell.busy = true;
        try {
            cell.known = cell.formula->value(*this);
        } catch (...) {
            cell.busy = false;
            throw;
        }
        cell.busy = false;
        return *cell.known;
    }

    bool has_number(Place place) const {
        const Cell *cell = find(place);
        return cell != nullptr && cell->formula;
    }

private:
    std::map<Place, Cell> cells;

    void forget() {
        for (auto &[place, cell] : cells)
            cell.known.reset();
    }
};

static std::string name_of(Place place) {
    return std::string(1, static_cast<char>('A' + place.column)) + std::to_string(place.row + 1);
}

struct Number : Formula {
    double number;
    explicit Number(double n) : number(n) {}
    double value(Sheet &) const override { return number; }
    std::string text() const override {
        std::ostringstream out;
        out << number;
        return out.str();
    }
    FormulaPtr moved(int, int) const override { return std::make_unique<Number>(number); }
};

struct Reference : Formula {
    Place place;
    bool fixed_column, fixed_row;
    Reference(Place p, bool c, bool r) : place(p), fixed_column(c), fixed_row(r) {}
    double value(Sheet &sheet) const override { return sheet.value(place); }
    std::string text() const override {
        return (fixed_column ? "$" : "") + std::string(1, static_cast<char>('A' + place.column)) +
               (fixed_row ? "$" : "") + std::to_string(place.row + 1);
    }
    FormulaPtr moved(int columns, int rows) const override {
        Place to{place.column + (fixed_column ? 0 : columns), place.row + (fixed_row ? 0 : rows)};
        if (to.column < 0 || to.column > 25 || to.row < 0 || to.row > 98)
            throw Trouble("reference leaves the sheet");
        return std::make_unique<Reference>(to, fixed_column, fixed_row);
    }
};

struct Negation : Formula {
    FormulaPtr inner;
    explicit Negation(FormulaPtr f) : inner(std::move(f)) {}
    double value(Sheet &sheet) const override { return -inner->value(sheet); }
    std::string text() const override {
        return inner->strength() < 9 ? "-(" + inner->text() + ")" : "-" + inner->text();
    }
    FormulaPtr moved(int c, int r) const override { return std::make_unique<Negation>(inner->moved(c, r)); }
    int strength() const override { return 8; }
};

struct Operation : Formula {
    char op;
    FormulaPtr left, right;
    Operation(char o, FormulaPtr l, FormulaPtr r) : op(o), left(std::move(l)), right(std::move(r)) {}

    double value(Sheet &sheet) const override {
        double a = left->value(sheet), b = right->value(sheet);
        switch (op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/':
            if (b == 0)
                throw Trouble("division by zero");
            return a / b;
        case '<': return a < b ? 1 : 0;
        default: return a == b ? 1 : 0;
        }
    }

    int strength() const override { return op == '<' || op == '=' ? 1 : op == '+' || op == '-' ? 2 : 3; }

    std::string text() const override {
        std::string l = left->text(), r = right->text();
        if (left->strength() < strength())
            l = "(" + l + ")";
        bool same_matters = op == '-' || op == '/';
        if (right->strength() < strength() || (same_matters && right->strength() == strength()))
            r = "(" + r + ")";
        return l + op + r;
    }

    FormulaPtr moved(int c, int r) const override {
        return std::make_unique<Operation>(op, left->moved(c, r), right->moved(c, r));
    }
};

struct Range {
    Reference from, to;
};

struct Call : Formula {
    std::string name;
    std::vector<std::unique_ptr<Range>> ranges; // each range or plain argument in its place; the other is null
    std::vector<FormulaPtr> arguments;

    std::vector<double> values(Sheet &sheet) const {
        std::vector<double> all;
        for (size_t i = 0; i < arguments.size(); i++) {
            if (!ranges[i]) {
                all.push_back(arguments[i]->value(sheet));
                continue;
            }
            Place a = ranges[i]->from.place, b = ranges[i]->to.place;
            for (int row = std::min(a.row, b.row); row <= std::max(a.row, b.row); row++)
                for (int column = std::min(a.column, b.column); column <= std::max(a.column, b.column); column++)
                    if (sheet.has_number({column, row}))
                        all.push_back(sheet.value({column, row}));
        }
        return all;
    }

    double value(Sheet &sheet) const override {
        if (name == "IF") {
            if (arguments.size() != 3 || ranges[0] || ranges[1] || ranges[2])
                throw Trouble("IF takes three values");
            return arguments[0]->value(sheet) != 0 ? arguments[1]->value(sheet) : arguments[2]->value(sheet);
        }
        std::vector<double> all = values(sheet);
        if (name == "COUNT")
            return static_cast<double>(all.size());
        double sum = 0;
        for (double v : all)
            sum += v;
        if (name == "SUM")
            return sum;
        if (all.empty())
            throw Trouble(name + " of nothing");
        if (name == "AVG")
            return sum / static_cast<double>(all.size());
        if (name == "MIN")
            return *std::min_element(all.begin(), all.end());
        if (name == "MAX")
            return *std::max_element(all.begin(), all.end());
        if (name == "ROUND")
            return std::round(all[0]);
        throw Trouble("no function " + name);
    }

    std::string text() const override {
        std::string out = name + "(";
        for (size_t i = 0; i < arguments.size(); i++) {
            out += i > 0 ? "," : "";
            out += ranges[i] ? ranges[i]->from.text() + ":" + ranges[i]->to.text() : arguments[i]->text();
        }
        return out + ")";
    }

    FormulaPtr moved(int c, int r) const override {
        auto copy = std::make_unique<Call>();
        copy->name = name;
        for (size_t i = 0; i < arguments.size(); i++) {
            std::unique_ptr<Range> range;
            if (ranges[i]) {
                auto from = ranges[i]->from.moved(c, r), to = ranges[i]->to.moved(c, r);
                range = std::make_unique<Range>(Range{static_cast<Reference &>(*from), static_cast<Reference &>(*to)});
            }
            copy->ranges.push_back(std::move(range));
            copy->arguments.push_back(arguments[i] ? arguments[i]->moved(c, r) : nullptr);
        }
        return copy;
    }
};

class Parser {
public:
    explicit Parser(const std::string &t) : text(t) {}

    FormulaPtr whole() {
        FormulaPtr f = comparison();
        blanks();
        if (at < text.size())
            throw Trouble("unexpected " + text.substr(at));
        return f;
    }

    Reference reference() {
        blanks();
        bool fixed_column = take('$');
        if (at >= text.size() || text[at] < 'A' || text[at] > 'Z')
            throw Trouble("place expected");
        Place place{text[at++] - 'A', 0};
        bool fixed_row = take('$');
        int row = 0, digits = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && digits < 3) {
            row = row * 10 + (text[at++] - '0');
            digits++;
        }
        if (row < 1 || row > 99)
            throw Trouble("row expected");
        place.row = row - 1;
        return Reference(place, fixed_column, fixed_row);
    }

    bool take(char c) {
        blanks();
        if (at >= text.size() || text[at] != c)
            return false;
        at++;
        return true;
    }

private:
    std::string text;
    size_t at = 0;

    void blanks() {
        while (at < text.size() && text[at] == ' ')
            at++;
    }

    FormulaPtr comparison() {
        FormulaPtr left = sum();
        for (char op : {'<', '='})
            if (take(op))
                return std::make_unique<Operation>(op, std::move(left), sum());
        return left;
    }

    FormulaPtr sum() {
        FormulaPtr left = product();
        for (;;) {
            if (take('+'))
                left = std::make_unique<Operation>('+', std::move(left), product());
            else if (take('-'))
                left = std::make_unique<Operation>('-', std::move(left), product());
            else
                return left;
        }
    }

    FormulaPtr product() {
        FormulaPtr left = single();
        for (;;) {
            if (take('*'))
                left = std::make_unique<Operation>('*', std::move(left), single());
            else if (take('/'))
                left = std::make_unique<Operation>('/', std::move(left), single());
            else
                return left;
        }
    }

    FormulaPtr single() {
        if (take('-'))
            return std::make_unique<Negation>(single());
        if (take('(')) {
            FormulaPtr inner = comparison();
            if (!take(')'))
                throw Trouble("missing )");
            return inner;
        }
        if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) {
            size_t used = 0;
            double number = std::stod(text.substr(at), &used);
            at += used;
            return std::make_unique<Number>(number);
        }
        size_t letters = at;
        while (letters < text.size() && text[letters] >= 'A' && text[letters] <= 'Z')
            letters++;
        if (letters < text.size() && letters > at + 1 && text[letters] == '(')
            return call(letters);
        return std::make_unique<Reference>(reference());
    }

    FormulaPtr call(size_t letters) {
        auto call = std::make_unique<Call>();
        call->name = text.substr(at, letters - at);
        at = letters + 1;
        if (take(')'))
            return call;
        do {
            size_t start = at;
            std::unique_ptr<Range> range;
            try {
                Reference from = reference();
                if (take(':'))
                    range = std::make_unique<Range>(Range{from, reference()});
            } catch (const Trouble &) {
            }
            FormulaPtr argument;
            if (!range) {
                at = start;
                argument = comparison();
            }
            call->ranges.push_back(std::move(range));
            call->arguments.push_back(std::move(argument));
        } while (take(','));
        if (!take(')'))
            throw Trouble("missing ) of " + call->name);
        return call;
    }
};

static std::string shown(Sheet &sheet, Place place) {
    const Cell *cell = sheet.find(place);
    if (cell == nullptr)
        return "";
    if (!cell->formula)
        return cell->label;
    try {
        std::ostringstream out;
        out << std::setprecision(7) << sheet.value(place);
        return out.str();
    } catch (const Trouble &trouble) {
        return "#" + std::string(trouble.what());
    }
}

static void print(Sheet &sheet, Place a, Place b) {
    for (int row = std::min(a.row, b.row); row <= std::max(a.row, b.row); row++) {
        for (int column = std::min(a.column, b.column); column <= std::max(a.column, b.column); column++)
            std::cout << (column > std::min(a.column, b.column) ? "|" : "") << shown(sheet, {column, row});
        std::cout << "\n";
    }
}

// A place or a range.
static std::pair<Place, Place> area(Parser &parser) {
    Place a = parser.reference().place, b = a;
    if (parser.take(':'))
        b = parser.reference().place;
    return {a, b};
}

static void obey(Sheet &sheet, const std::string &line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word.empty() || word[0] == '#')
        return;
    std::string rest;
    std::getline(words, rest);
    Parser parser(rest);
    if (word == "print") {
        auto [a, b] = area(parser);
        print(sheet, a, b);
    } else if (word == "show") {
        Place place = parser.reference().place;
        const Cell *cell = sheet.find(place);
        std::string content = cell == nullptr ? "" : cell->formula ? cell->formula->text() : '"' + cell->label + '"';
        std::cout << name_of(place) << " = " << content << "\n";
    } else if (word == "clear") {
        auto [a, b] = area(parser);
        for (int column = a.column; column <= b.column; column++)
            for (int row = a.row; row <= b.row; row++)
                sheet.clear({column, row});
    } else if (word == "copy") {
        Place from = parser.reference().place;
        auto [a, b] = area(parser);
        for (int column = a.column; column <= b.column; column++) {
            for (int row = a.row; row <= b.row; row++) {
                const Cell *cell = sheet.find(from);
                if (cell == nullptr || Place{column, row} == from)
                    continue;
                Cell copy;
                copy.label = cell->label;
                if (cell->formula)
                    copy.formula = cell->formula->moved(column - from.column, row - from.row);
                sheet.set({column, row}, std::move(copy));
            }
        }
    } else {
        Place place = Parser(word).reference().place;
        if (!parser.take('='))
            throw Trouble("= expected");
        Cell cell;
        size_t quote = rest.find('"');
        if (quote != std::string::npos)
            cell.label = rest.substr(quote + 1, rest.rfind('"') - quote - 1);
        else
            cell.formula = Parser(rest.substr(rest.find('=') + 1)).whole();
        sheet.set(place, std::move(cell));
    }
}

int main() {
    Sheet sheet;
    std::string line;
    int number = 0;
    while (std::getline(std::cin, line)) {
        number++;
        try {
            obey(sheet, line);
        } catch (const Trouble &trouble) {
            std::cout << number << ": " << trouble.what() << "\n";
        }
    }
}
