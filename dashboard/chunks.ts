/**
 * Which file of the build a module goes into. A page that is opened first needs few requests, and little that it does not use:
 *
 * | file | has |
 * |---|---|
 * | `libraries` | what others have made |
 * | `index` | the frame, and what the home page shares with other pages |
 * | `kit` | what lists share |
 * | `forms` | what forms and the pages of objects share, with the libraries that only they use |
 * | `payments`, `customers`, … | the pages of a noun, and what they alone use |
 * | `webhooks`, `selling` | the pages of nouns that share more with each other than with the rest |
 * | `code` | what draws a code for cameras |
 *
 * What is loaded when it is needed, such as a large dialog or a part of the frame, and pages for visitors are files of their own.
 */

type Context = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };
type Load = () => unknown;
type Entry = { page?: Load; detail?: Load };

// By its address: the program that checks these types knows no JSX.
const { pages, redirects } = (await import(new URL('./src/pages/index.ts', import.meta.url).href)) as {
  pages: readonly Entry[];
  redirects: readonly Entry[];
};

const together: Readonly<Record<string, string>> = {
  events: 'webhooks',
  inbox: 'webhooks',
  payment_links: 'selling',
  checkout_sessions: 'selling',
  needs_attention: 'home',
  invoice_items: 'redirects',
  reconciliation_differences: 'redirects',
  setups: 'redirects',
};
const fileOfFolder = (folder: string) => together[folder] ?? folder;

/** The module of each page, and the file that it goes into. */
const entries = [...pages, ...redirects]
  .flatMap(({ page, detail }) => [page, detail])
  .filter((load) => load !== undefined)
  .map((load) => /import\('\.\/([\w./]+)'\)/.exec(String(load))![1]!)
  .map((path) => ({ path: `src/pages/${path}`, file: fileOfFolder(path.split('/')[0]!) }));

const early = ['index.html', 'src/pages/home/home.tsx', 'src/pages/needs_attention/page.tsx'];
const list = ['src/pages/payments/list.tsx'];

/** Components that neither the frame nor a list uses; but menus have the arrow of an accordion. */
const ofForms =
  'Accordion(?!/AccordionChevron)|Autocomplete|FileButton|MultiSelect|Pill|PillsInput|Progress|Switch|Textarea';
const librariesOfForms = new RegExp(
  `/@mantine/(form|core/.*/(${ofForms}))/|/(react-textarea-autosize|klona|fast-deep-equal)/`,
);

export function chunkOf(id: string, context: Context): string | null {
  if (/\/uqr\/|\/kit\/qr_code\.|\/nouns\/share_section\./.test(id)) return 'code';
  if (id.includes('/node_modules/')) return librariesOfForms.test(id) ? 'forms' : 'libraries';
  const users = new Set(entries.filter(({ path }) => reachedFrom([path], context).has(id)).map(({ file }) => file));
  const [, folder] = /\/dashboard\/src\/pages\/(\w+)\//.exec(id) ?? [];
  if (folder !== undefined && users.size > 0) return fileOfFolder(folder);
  if (reachedFrom(early, context).has(id)) return 'index';
  if (/\/src\/(session|shell|generated\/operations)\b/.test(id)) return null;
  if (reachedFrom(list, context).has(id)) return 'kit';
  if (users.size === 0) return null;
  return users.size === 1 ? [...users][0]! : 'forms';
}

const reached = new Map<string, ReadonlySet<string>>();

/** These modules, and what they import. Dynamic imports do not count. */
function reachedFrom(paths: readonly string[], context: Context): ReadonlySet<string> {
  const key = paths.join();
  const known = reached.get(key);
  if (known !== undefined) return known;
  const all = new Set<string>();
  const left = paths.map((path) => `${import.meta.dirname}/${path}`);
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (all.has(id) || id.includes('/node_modules/')) continue;
    all.add(id);
    left.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  reached.set(key, all);
  return all;
}
