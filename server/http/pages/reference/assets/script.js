/** What reading does not need: results while somebody types, the remembered language, and the buttons that copy a sample. */

const search = document.querySelector('.search');
if (search !== null) startSearch(search, search.querySelector('input'));
rememberLanguage(document.querySelectorAll('.tabs > input'));
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
    results.replaceChildren(...matches.map(resultItem));
    found.textContent = words;
  };
  const close = () => show([], '');
  const clear = () => {
    input.value = '';
    close();
  };
  // One request at a time, and then one for what was typed in the meantime: requests count against the rate limit of the address.
  const look = async () => {
    const query = input.value;
    if (query.trim() === '') return close();
    if (results.ariaBusy === 'true') return;
    results.ariaBusy = 'true';
    const answer = await find(query).catch(() => undefined);
    results.ariaBusy = 'false';
    if (query !== input.value) return look();
    if (answer === undefined) show([], 'The search does not work at the moment. Try again.');
    else show(answer.results, countOf(answer));
  };

  input.addEventListener('input', look);
  results.addEventListener('click', clear);
  document.addEventListener('click', ({ target }) => {
    if (!box.contains(target)) close();
  });
  moveByKeys(box, input, clear);
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

async function find(query) {
  const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(query)}`);
  if (!answer.ok) throw new Error(`the search was answered with ${answer.status}`);
  return answer.json();
}

function countOf({ results, total }) {
  if (total > results.length) return `The best ${results.length} of ${total}; Enter shows more`;
  return `${total === 0 ? 'Nothing' : total} found`;
}

function resultItem({ title, path, kind }) {
  const [item, link, note] = ['li', 'a', 'span'].map((name) => document.createElement(name));
  link.href = path;
  link.append(title, note);
  note.textContent = kind;
  item.append(link);
  return item;
}

/** The language that somebody has chosen is chosen everywhere, also on the next page. */
function rememberLanguage(buttons) {
  const choose = (language) => {
    for (const button of buttons) if (button.value === language) button.checked = true;
  };
  const stored = readLanguage();
  if (stored !== null) choose(stored);
  for (const button of buttons)
    button.addEventListener('change', () => {
      const before = button.getBoundingClientRect().top;
      choose(button.value);
      // Samples above may have become longer or shorter.
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
      storeLanguage(button.value);
    });
}

/** A browser may keep nothing for this site. */
function readLanguage() {
  try {
    return localStorage.getItem('language');
  } catch {
    return null;
  }
}

function storeLanguage(language) {
  try {
    localStorage.setItem('language', language);
  } catch {}
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
