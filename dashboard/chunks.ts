/**
 * Which file of the build a module goes into. A page that is opened first needs few requests, and little that it does not use:
 *
 * | file | has |
 * |---|---|
 * | `libraries` | what others have made |
 * | `index` | the frame, and what the home page shares with other pages |
 * | `kit` | what the other pages share |
 * | `home`, `payments`, `billing`, … | the pages of a group in the navigation |
 * | `selling` | links and sessions of the checkout, which are apart from the payments they lead to |
 * | `code` | what draws a code for cameras |
 *
 * Parts of the frame that are loaded when they are needed, and pages for visitors, are files of their own.
 */

type Context = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };
type Group = { title: string | undefined; pages: readonly { page(): unknown }[] };

// By its address: the program that checks these types knows no JSX.
const { groups } = (await import(new URL('./src/pages/index.ts', import.meta.url).href)) as {
  groups: readonly Group[];
};

const folderOf = (page: () => unknown) => /import\('\.\/(\w+)\//.exec(String(page))?.[1] ?? '';
/** The group of each folder of pages. Folders without an entry show what invoices and payment methods have. */
const groupOf = new Map(
  groups.flatMap(({ title = 'Home', pages }) =>
    pages.map(({ page }) => [folderOf(page), title.toLowerCase()] as const),
  ),
);

for (const folder of ['payment_links', 'checkout_sessions']) groupOf.set(folder, 'selling');

let early: ReadonlySet<string> | undefined;

export function chunkOf(id: string, context: Context): string | null {
  const [, folder] = /\/dashboard\/src\/pages\/(\w+)\//.exec(id) ?? [];
  if (folder !== undefined) return groupOf.get(folder) ?? 'billing';
  if (/\/uqr\/|\/kit\/qr_code\.|\/nouns\/share_section\./.test(id)) return 'code';
  if (id.includes('/node_modules/')) return 'libraries';
  early ??= reachedFrom(['index.html', 'src/pages/home/home.tsx', 'src/pages/needs_attention/page.tsx'], context);
  if (early.has(id)) return 'index';
  return /\/src\/(session|shell|generated\/operations)\b/.test(id) ? null : 'kit';
}

/** These modules, and what they import. Dynamic imports do not count. */
function reachedFrom(paths: readonly string[], context: Context): ReadonlySet<string> {
  const reached = new Set<string>();
  const left = paths.map((path) => `${import.meta.dirname}/${path}`);
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (reached.has(id) || id.includes('/node_modules/')) continue;
    reached.add(id);
    left.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}
