// Makes the page walkable: steps of the chain, tabs of files, the experiments' filter and order, light and dark.
// Without it everything is still there to read.
(() => {
    'use strict';

    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const byId = (id) => document.getElementById(id);

    // Light and dark. A choice is kept where the browser allows it.
    const KEPT = 'faultline-theme';
    const root = document.documentElement;
    const prefersDark = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches);
    const toggleTheme = () => {
        root.dataset.theme = isDark() ? 'light' : 'dark';
        try {
            localStorage.setItem(KEPT, root.dataset.theme);
        } catch {
            // Then it is chosen anew each time.
        }
    };
    try {
        const kept = localStorage.getItem(KEPT);
        if (kept === 'light' || kept === 'dark') root.dataset.theme = kept;
    } catch {
        // As above.
    }
    byId('theme').addEventListener('click', toggleTheme);

    // Files.
    const tabs = all('[role=tab]');
    const openFile = (panel) => {
        for (const tab of tabs) {
            const isOpen = tab.getAttribute('aria-controls') === panel.id;
            tab.setAttribute('aria-selected', isOpen);
            tab.tabIndex = isOpen ? 0 : -1;
            byId(tab.getAttribute('aria-controls')).hidden = !isOpen;
        }
    };
    tabs.forEach((tab, position) => {
        tab.addEventListener('click', () => openFile(byId(tab.getAttribute('aria-controls'))));
        tab.addEventListener('keydown', (event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!by) return;
            const next = tabs[(position + by + tabs.length) % tabs.length];
            next.click();
            next.focus();
            event.preventDefault();
        });
    });

    // Marks a source line and scrolls its file to it, but not the page.
    const showLine = (line) => {
        const panel = line.closest('.file');
        openFile(panel);
        for (const marked of all('.l.here')) marked.classList.remove('here');
        line.classList.add('here');
        // Chunks that were never laid out only guess their height: what comes into view by the first turn is exact in the second.
        for (let turn = 0; turn < 2; turn++) {
            const [inner, outer] = [line.getBoundingClientRect(), panel.getBoundingClientRect()];
            panel.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
        }
        panel.scrollLeft = 0;
    };

    // Links to source lines, wherever they are: in the answer, in tables, in the graph.
    document.addEventListener('click', (event) => {
        const link = event.target.closest('a[href^="#f"]');
        const line = link && byId(link.getAttribute('href').slice(1));
        if (!line || !line.classList.contains('l')) return;
        event.preventDefault();
        showLine(line);
        line.closest('.source').scrollIntoView({ block: 'nearest' });
    });

    // Steps.
    const steps = all('.step');
    const [back, forth, where] = [byId('back'), byId('forth'), byId('where')];
    let present = -1;
    const go = (to) => {
        if (to < 0 || to >= steps.length) return;
        if (present >= 0) steps[present].removeAttribute('aria-current');
        present = to;
        const step = steps[to];
        step.setAttribute('aria-current', 'step');
        where.textContent = `step ${to + 1} of ${steps.length}`;
        back.disabled = to === 0;
        forth.disabled = to === steps.length - 1;
        const list = step.closest('.steps');
        const [inner, outer] = [step.getBoundingClientRect(), list.getBoundingClientRect()];
        if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 3;
        const line = step.dataset.line && byId(step.dataset.line);
        if (line) showLine(line);
    };
    // To a step by key or button: it gets the focus, so that one can see where one is.
    const walk = (by) => {
        go(Math.min(Math.max(present + by, 0), steps.length - 1));
        steps[present].focus({ preventScroll: true });
        byId('way').scrollIntoView({ block: 'nearest' });
    };
    if (steps.length > 0) {
        steps.forEach((step, position) => step.addEventListener('click', () => go(position)));
        back.addEventListener('click', () => go(Math.max(present - 1, 0)));
        forth.addEventListener('click', () => go(Math.min(present + 1, steps.length - 1)));
        go(0);
    } else {
        const first = document.querySelector('.file .l.hot');
        if (first) showLine(first);
    }

    // Experiments.
    const table = document.querySelector('.experiments');
    const filter = byId('filter');
    if (table) {
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => ({ row, text: row.textContent.toLowerCase(), outcome: row.dataset.outcome }));
        const chips = all('.chip');
        const shown = byId('shown');
        const choose = () => {
            const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
            const outcomes = new Set(chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.dataset.outcome));
            let count = 0;
            for (const { row, text, outcome } of rows) {
                const fits = outcomes.has(outcome) && words.every((word) => text.includes(word));
                row.hidden = !fits;
                count += fits;
            }
            shown.textContent = count === rows.length ? '' : `${count} of ${rows.length} shown`;
        };
        filter.addEventListener('input', choose);
        for (const chip of chips) {
            chip.addEventListener('click', () => {
                chip.setAttribute('aria-pressed', chip.getAttribute('aria-pressed') !== 'true');
                choose();
            });
        }
        all('th', table).forEach((head, column) => {
            const isNumber = head.dataset.sort === 'number';
            const key = ({ row }) => (isNumber ? Number(row.cells[column].dataset.key) : row.cells[column].textContent);
            const compare = isNumber ? (a, b) => a - b : new Intl.Collator(undefined, { numeric: true }).compare;
            head.querySelector('button').addEventListener('click', () => {
                const isUp = head.getAttribute('aria-sort') !== 'ascending';
                for (const other of all('th', table)) other.removeAttribute('aria-sort');
                head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
                const keyed = rows.map((entry) => [key(entry), entry.row]);
                keyed.sort(([a], [b]) => (isUp ? compare(a, b) : compare(b, a)));
                body.append(...keyed.map(([, row]) => row));
            });
        });
    }

    // Keys, unless somebody is writing.
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.matches('input')) {
            if (event.key === 'Escape') event.target.blur();
            return;
        }
        const isOnStep = event.target.closest('.steps') !== null;
        const actions = {
            j: () => steps.length > 0 && walk(1),
            k: () => steps.length > 0 && walk(-1),
            ArrowDown: () => isOnStep && walk(1),
            ArrowUp: () => isOnStep && walk(-1),
            Home: () => isOnStep && walk(-steps.length),
            End: () => isOnStep && walk(steps.length),
            t: toggleTheme,
            '/': () => filter && filter.focus(),
        };
        const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
        if (action && action() !== false) event.preventDefault();
    });
})();
