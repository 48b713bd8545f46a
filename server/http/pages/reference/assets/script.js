/** What reading does not need: the search, and the buttons that copy a sample. */

const search = document.querySelector('.search');
if (search !== null) startSearch(search, search.querySelector('input'));
if (navigator.clipboard !== undefined) document.querySelectorAll('figure.code').forEach(addCopyButton);

// A link within the page leaves the menu of a narrow screen open.
const menu = document.querySelector('#menu');
menu?.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null && menu.matches(':popover-open')) menu.hidePopover();
});

function startSearch(box, input) {
  const [results, found] = [box.querySelector('.results'), box.querySelector('.found')];
  let loading;
  const load = () => {
    loading ??= fetch('/docs/search.json').then((answer) => {
      if (!answer.ok) throw new Error(`the search index was answered with ${answer.status}`);
      return answer.json();
    });
    // The next try asks again.
    loading.catch(() => (loading = undefined));
    return loading;
  };
  const show = (matches, words) => {
    results.replaceChildren(...matches.map(resultItem));
    found.textContent = words;
  };
  const close = () => show([], '');

  input.addEventListener('focus', () => void load().catch(() => {}));
  input.addEventListener('input', async () => {
    const query = input.value;
    try {
      const index = await load();
      if (query !== input.value) return;
      const matches = query.trim() === '' ? [] : find(index, query);
      show(matches, query.trim() === '' ? '' : `${matches.length === 0 ? 'Nothing' : matches.length} found`);
    } catch {
      show([], 'The search does not work at the moment. Try again.');
    }
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') results.querySelector('a')?.click();
  });
  box.addEventListener('keydown', (event) => {
    const links = [input, ...results.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + step))].focus();
    }
    if (event.key === 'Escape') {
      input.value = '';
      input.focus();
      close();
    }
  });
  results.addEventListener('click', () => {
    input.value = '';
    close();
  });
  document.addEventListener('click', ({ target }) => {
    if (!box.contains(target)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
  box.hidden = false;
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
  return scored.sort((one, other) => one.score - other.score).slice(0, 12);
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
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  figure.querySelector('figcaption').append(button);
}
