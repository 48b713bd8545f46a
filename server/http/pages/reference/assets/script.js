/** What reading does not need: the search, and the buttons that copy a sample. */

const shownMax = 12;
let loading;
const search = document.querySelector('.search');
if (search !== null) startSearch(search, search.querySelector('input'));
if (navigator.clipboard !== undefined) document.querySelectorAll('figure.code').forEach(addCopyButton);

// A link within the page leaves the menu of a narrow screen open.
const menu = document.querySelector('#menu');
const current = menu?.querySelector('[aria-current]');
menu?.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null && menu.matches(':popover-open')) menu.hidePopover();
});

// The menu is longer than the screen: it begins at the page that is open.
if (current && current.offsetTop > menu.clientHeight) menu.scrollTop = current.offsetTop - menu.clientHeight / 3;

function startSearch(box, input) {
  const [results, found] = [box.querySelector('.results'), box.querySelector('.found')];
  const show = (matches, words) => {
    results.replaceChildren(...matches.slice(0, shownMax).map(resultItem));
    found.textContent = words;
  };
  const close = () => show([], '');
  const clear = () => {
    input.value = '';
    close();
  };

  input.addEventListener('focus', () => void loadIndex().catch(() => {}));
  input.addEventListener('input', async () => {
    const query = input.value;
    if (query.trim() === '') return close();
    try {
      const matches = find(await loadIndex(), query);
      if (query === input.value) show(matches, countOf(matches));
    } catch {
      show([], 'The search does not work at the moment. Try again.');
    }
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
  });
  results.addEventListener('click', clear);
  document.addEventListener('click', ({ target }) => {
    if (!box.contains(target)) close();
  });
  moveByKeys(box, input, clear);
  box.hidden = false;
}

/** Arrows move between the input and the results, Escape clears both, a slash leads to the input. */
function moveByKeys(box, input, clear) {
  box.addEventListener('keydown', (event) => {
    const places = [input, ...box.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      places[Math.max(0, Math.min(places.length - 1, places.indexOf(document.activeElement) + step))].focus();
    }
    if (event.key !== 'Escape') return;
    clear();
    input.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
}

/** Loaded once, when the search is first used. After a failure the next try asks again. */
function loadIndex() {
  loading ??= fetch('/docs/search.json').then((answer) => {
    if (!answer.ok) throw new Error(`the search index was answered with ${answer.status}`);
    return answer.json();
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** The best entries that have all words of the query: a title that begins with it, then one that has it, then all others. */
function find(index, query) {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const scored = [];
  for (const [title, path, kind, more] of index) {
    const [name, text] = [title.toLowerCase(), `${title} ${kind} ${more}`.toLowerCase()];
    if (!words.every((word) => text.includes(word))) continue;
    const score = name.startsWith(wanted)
      ? 0
      : name.includes(wanted)
        ? 1
        : words.every((one) => name.includes(one))
          ? 2
          : 3;
    scored.push({ score, title, path, kind });
  }
  return scored.sort((one, other) => one.score - other.score);
}

function countOf({ length }) {
  if (length > shownMax) return `The first ${shownMax} of ${length}`;
  return `${length === 0 ? 'Nothing' : length} found`;
}

function resultItem({ title, path, kind }) {
  const [item, link, note] = ['li', 'a', 'span'].map((name) => document.createElement(name));
  link.href = path;
  link.append(title, note);
  note.textContent = kind;
  item.append(link);
  return item;
}

function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
  });
  button.addEventListener('blur', () => {
    button.textContent = 'Copy';
  });
  figure.querySelector('figcaption').append(button);
}
