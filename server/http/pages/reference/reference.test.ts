import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Page, Rendered } from '../../../base/page.ts';
import { catalog, describedBy, errorTable, operations } from '../../../catalog.ts';
import { registrations } from '../../../connectors/index.ts';
import { ownScripts } from '../../../resources/selling/checkout_page/document.ts';
import { documentationPages } from '../documentation.ts';
import { openApi } from '../openapi/document.ts';
import { Site } from './content.ts';
import { guideMarkdown } from './guide_page.ts';
import { docsFolder, guideGroups, guideNames, guideOf, readGuides } from './guides.ts';
import { apiModel } from './model.ts';
import { referencePages } from './site.ts';

/** The pages without a server: they are text that is made from the catalog and from docs/. */
const described = describedBy(catalog);
const pages = new Map(documentationPages(described, 'dev').map((page) => [page.path, page]));

async function render(page: Page, headers = {}): Promise<Rendered> {
  const asked = { headers: { host: 'localhost:9443', ...headers } };
  return page.render(asked as never);
}

const rendered = await Promise.all([...pages.values()].map(async (page) => [page.path, await render(page)] as const));
const htmlPages = new Map(
  rendered.filter(([, { contentType }]) => contentType.startsWith('text/html')).map(([path, { body }]) => [path, body]),
);

/** The text of HTML: tags removed, entities replaced. */
function textOf(html: string): string {
  const plain = html.replaceAll(/<[^>]+>/g, '');
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** The section of an operation, from its heading to the end of its section. */
function sectionOf(name: string): string {
  const page = htmlPages.get(`/docs/${name.split('.')[0]}`)!;
  const at = page.indexOf(`<h2 id="${name}">`);
  expect(at, name).toBeGreaterThan(0);
  return page.slice(at, page.indexOf('</section>', at));
}

const samples = operations.map(({ name }) => {
  const figures = [...sectionOf(name).matchAll(/<figcaption>([^<]+)<\/figcaption>\s*<pre[^>]*><code>([^<]*)<\/code>/g)];
  const of = (label: string) => textOf(figures.find(([, caption]) => caption === label)![2]!);
  return { name, curl: of('curl'), typescript: of('TypeScript'), python: of('Python') };
});

const voids = new Set(['meta', 'link', 'input', 'br', 'hr', 'img']);

/** The first tag that closes nothing, or that is not closed. */
function misplacedTag(html: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (voids.has(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return tag;
  }
  return open.at(-1);
}

test('there is a page for every resource and every guide', () => {
  for (const { name } of operations) expect([...htmlPages.keys()]).toContain(`/docs/${name.split('.')[0]}`);
  expect(guideNames().length).toBeGreaterThan(25);
  for (const name of guideNames()) expect([...htmlPages.keys()]).toContain(`/docs/guides/${name}`);
});

test('the first page begins with what can be done and a first payment, and ends with the reference', () => {
  const start = htmlPages.get('/docs')!.split('<main')[1]!;
  const order = [
    '3-D Secure',
    'id="first-payment"',
    'payment_methods',
    '/v1/payments',
    'id="tasks"',
    'id="guides"',
    'id="reference"',
  ];
  const places = order.map((text) => start.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
});

test('the reference is grouped, with payments first, in the menu, on its page and in the description for programs', () => {
  const groups = ['Payments', 'Billing', 'Webhooks', 'Developers', 'People'];
  const document = openApi(described);
  const tagGroups = document['x-tagGroups'] as { name: string; tags: string[] }[];
  expect(tagGroups.map(({ name }) => name)).toEqual(groups);
  expect((document.tags as { name: string }[]).map(({ name }) => name)).toEqual(tagGroups.flatMap(({ tags }) => tags));
  const first = tagGroups.map(({ tags }) => tags[0]);
  expect(first).toEqual(['payments', 'subscriptions', 'webhook_endpoints', 'api_keys', 'account']);
  const [, menu = ''] = /API reference<\/h2>([\s\S]*?)<\/nav>/.exec(htmlPages.get('/docs')!) ?? [];
  const linked = [...menu.matchAll(/<summary>([^<]+)<\/summary><ul>\s*<li><a href="\/docs\/(\w+)"/g)];
  expect(linked.map(([, group, tag]) => [group, tag])).toEqual(groups.map((group, at) => [group, first[at]]));
  expect(htmlPages.get('/docs/refunds')).toContain('<details open><summary>Payments</summary>');
  expect(htmlPages.get('/docs/reference')!.indexOf('resources-payments')).toBeLessThan(
    htmlPages.get('/docs/reference')!.indexOf('resources-billing'),
  );
});

test('guides are listed by what each declares at its top, in docs/README.md and in the menu', () => {
  const { guides, contents } = readGuides(guideNames());
  for (const { name, group, question, words } of guides) {
    expect(guideGroups, name).toContain(group);
    expect(contents).toContain(`](${name}.md) | ${question} |`);
    expect(words.length, name).toBeGreaterThan(0);
  }
  const listed = [...contents.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'errors')).toEqual(guides.map(({ name }) => name));
  const [menu = ''] = /<nav [\s\S]*?<\/nav>/.exec(htmlPages.get('/docs')!) ?? [];
  const inMenu = [...menu.matchAll(/href="\/docs\/guides\/([\w-]+)"/g)].map(([, name]) => name);
  expect(inMenu).toEqual(guides.map(({ name }) => name));
  expect(guideOf('new', '# New\n\ntext')).toMatchObject({ title: 'New', group: '', question: '', words: [] });
});

test('the guide on expand lists the paths that there are', () => {
  const { schemas } = openApi(described).components;
  const text = readFileSync(join(docsFolder, 'expand.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([a-z ,]+) \| (`.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, objects = '', cell = ''] of rows)
    for (const object of objects.split(', ')) {
      const name = object.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());
      const paths = Object.keys((schemas![`${name}Expanded`] as { properties: object }).properties);
      expect(
        [...cell.matchAll(/`([\w.]+)`/g)].map(([, path]) => path),
        object,
      ).toEqual(paths);
    }
});

test('every page is well-formed, repeats no id, and has its landmarks, a skip link and one heading of the first level', () => {
  for (const [path, html] of htmlPages) {
    expect(misplacedTag(html), path).toBeUndefined();
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      path,
    ).toEqual([]);
    expect(html.match(/<h1>/g), path).toHaveLength(1);
    expect(html.match(/<main[ >]/g), path).toHaveLength(1);
    expect(html, path).not.toMatch(/undefined|\bNaN|\[object|<p><\/p>|<ul[^>]*>\s*<\/ul>\s*<(?!\/search)/);
    if (path === '/') continue;
    expect(html, path).toMatch(/<body><a class="skip" href="#content">/);
    expect(html, path).toContain('<main id="content"');
    expect(html, path).toMatch(/<nav [^>]*aria-label="/);
  }
});

test('nothing is inline, and nothing comes from elsewhere', async () => {
  for (const [path, html] of htmlPages) {
    expect(html, path).not.toMatch(
      /<style|<script(?! src="\/docs\/assets\/script\.js\?v=\w{12}" defer>)| style=| on\w+="|javascript:/,
    );
    for (const [, loaded] of html.matchAll(/(?: src|<link [^>]*href)="([^"?]*)/g))
      expect(pages.has(loaded!), `${path} loads ${loaded}`).toBe(true);
    const { headers } = await render(pages.get(path)!);
    const policy = headers!['Content-Security-Policy']!;
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|http|\*|data:/);
    for (const [, allowed] of policy.matchAll(/(?:style|script|connect|img)-src ([^;]+)/g))
      expect(allowed).toBe("'self'");
  }
  for (const name of ['style.css', 'script.js', 'icon.svg']) {
    const { body } = await render(pages.get(`/docs/assets/${name}`)!);
    expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|innerHTML/);
  }
});

test('a wide table can be reached on a telephone: each scrolls in a box of its own', () => {
  for (const [path, page] of htmlPages) {
    const boxes = page.match(/<div class="scroll" tabindex="0"[^>]*><table>/g) ?? [];
    expect(page.match(/<table/g) ?? [], path).toHaveLength(boxes.length);
  }
});

test('/docs/pci lists every script of the page, and every host that the fields of a processor need, with its reason', () => {
  const page = htmlPages.get('/docs/pci')!;
  for (const { hash, reason } of ownScripts) expect(textOf(page)).toContain(`${hash}${reason}`);
  const withFields = registrations.flatMap(({ fields }) => fields ?? []);
  expect(withFields.length).toBeGreaterThan(0);
  for (const { script, hosts } of withFields) {
    expect(page).toContain(`<code>${script}</code>`);
    for (const { reason } of hosts) expect(textOf(page)).toContain(reason);
  }
});

test('a guide shows the images of docs/images, which are PNG files as they are; no other image is served', async () => {
  const names = readdirSync(join(docsFolder, 'images'));
  const served = [...pages.keys()].filter((path) => path.startsWith('/docs/images/'));
  expect(served.sort()).toEqual(names.map((name) => `/docs/images/${name}`).sort());
  for (const name of names) {
    const { contentType, bytes } = await render(pages.get(`/docs/images/${name}`)!);
    expect(contentType).toBe('image/png');
    expect(bytes!.equals(readFileSync(join(docsFolder, 'images', name)))).toBe(true);
  }
  expect(htmlPages.get('/docs/guides/getting-started')).toMatch(
    /<img src="\/docs\/images\/payment\.png\?v=\w{12}" alt="A payment in the dashboard: [^"<]+" loading="lazy">/,
  );
  const { page } = guideMarkdown([], apiModel(openApi(described)));
  for (const address of [
    'https://example.com/a.png',
    'images/none.png',
    'images/../README.md',
    '/docs/images/home.png',
  ])
    expect(page(`![words](${address})`)).toBe('<p>words</p>\n');
});

const besideDocumentation = new Set(['/healthz', '/dashboard', '/sdk/tollgate-node.tgz']);

test('every link leads to a page of this server, and every anchor to an element of it', () => {
  const lost: string[] = [];
  for (const [path, html] of htmlPages)
    for (const [, href] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (href!.startsWith('https:')) continue;
      const [target, anchor] = href!.split('#') as [string, string | undefined];
      const page = target === '' ? path : target;
      const isThere = anchor === undefined ? pages.has(page) : htmlPages.get(page)?.includes(` id="${anchor}"`);
      if (!besideDocumentation.has(page) && isThere !== true) lost.push(`${path}: ${href}`);
    }
  expect(lost).toEqual([]);
});

test('links of the guides that lead out of docs/ name files of the repository, and are shown as words', () => {
  const outside = readGuides(guideNames()).guides.flatMap(({ name, text }) =>
    [...text.matchAll(/\[([^\]]+)\]\((\.\.\/[^)#]+)[^)]*\)/g)].map(([, words, path]) => ({
      name,
      words: words!,
      path: path!,
    })),
  );
  expect(outside.length).toBeGreaterThan(2);
  for (const { name, words, path } of outside) {
    expect(existsSync(join(docsFolder, path)), `${name}: ${path}`).toBe(true);
    expect(htmlPages.get(`/docs/guides/${name}`), path).not.toContain(`href="${path}`);
    expect(textOf(htmlPages.get(`/docs/guides/${name}`)!), name).toContain(words.split('\n')[0]!.replaceAll('`', ''));
  }
});

test('every operation has its section: route, scope, parameters, answer, errors', () => {
  for (const { name, method, route, scope, input } of operations) {
    const section = sectionOf(name);
    const path = `/v1${route.replace(':id', '{id}')}`;
    expect(textOf(section)).toContain(`${method} ${path}`);
    expect(section).toContain(`<code>${scope}</code>`);
    for (const parameter of Object.keys(input.properties)) expect(section, name).toContain(`<code>${parameter}</code>`);
    expect(section).toContain('<h3>Answer</h3>');
    expect(section).toContain('<h3>Errors</h3>');
  }
});

test('an operation and the page on all requests together name every code that the document has for it', () => {
  const { paths, components } = openApi(described);
  const reference = htmlPages.get('/docs/reference')!;
  const common = (kind: string) => reference.slice(reference.indexOf(`id="errors-of-${kind}"`)).split('</ul>')[0]!;
  for (const { name, method, route } of operations) {
    const operation = paths[`/v1${route.replace(':id', '{id}')}`]![method.toLowerCase()] as { responses: object };
    const shown = sectionOf(name) + common(method === 'GET' ? 'reads' : 'changes');
    const responses = Object.values(operation.responses).map((one: { $ref?: string }) =>
      one.$ref === undefined ? one : components.responses![one.$ref.split('/').at(-1)!]!,
    );
    for (const { description } of responses as { description: string }[])
      for (const [, code] of description.matchAll(/`(\w+)`/g))
        if (code! in errorTable) expect(shown, `${name}: ${code}`).toContain(`/docs/errors#${code}"`);
  }
});

test('a parameter shows its type, its limits and its choices', () => {
  const list = textOf(sectionOf('payments.list'));
  expect(list).toMatch(/limit integer/);
  expect(list).toContain('1 to 100');
  expect(list).toMatch(/One of requires_action, requires_capture/);
  expect(textOf(sectionOf('payments.create'))).toMatch(/amount integer required/);
  expect(textOf(sectionOf('payment_methods.create'))).toMatch(/card object[\s\S]*number string required/);
});

test('every object, event type and error code has its place, and the search finds all of them', async () => {
  const dataDir = '.tollgate';
  const site = new Site({ described, guideNames: guideNames(), dataDir }, openApi(described));
  const entries = [...site.searchEntries()];
  for (const { title, path } of entries) {
    const [page, anchor] = path.split('#') as [string, string | undefined];
    const html = htmlPages.get(page)!;
    expect(anchor === undefined || html.includes(` id="${anchor}"`), `${title}: ${path}`).toBe(true);
  }
  const paths = entries.map(({ path }) => path);
  for (const { name } of operations) expect(paths).toContain(`/docs/${name.split('.')[0]}#${name}`);
  for (const type of Object.keys(described.events)) expect(paths).toContain(`/docs/event_types#${type}`);
  for (const code of Object.keys(errorTable)) expect(paths).toContain(`/docs/errors#${code}`);
  for (const name of guideNames()) expect(paths).toContain(`/docs/guides/${name}`);
  expect(paths).toContain('/docs/payments#Payment');
});

test('the commands of guides name the data directory in use', () => {
  const guide = (dataDir: string | undefined) =>
    new Site({ described, guideNames: guideNames(), dataDir }, openApi(described)).guide('getting-started').content;
  expect(guide('~/shop & co')).toContain('~/shop &amp; co/dev.json');
  expect(guide('~/shop & co')).not.toContain('.tollgate/');
  expect(guide(undefined)).toContain('.tollgate/dev.json');
});

test('guides and resources lead to each other', () => {
  const links = (path: string) => {
    const [, beside = ''] = /<p class="beside">(.*?)<\/p>/.exec(htmlPages.get(path)!) ?? [];
    return [...beside.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
  };
  expect(links('/docs/payments')[0]).toBe('/docs/guides/payments');
  expect(links('/docs/webhook_endpoints')).toContain('/docs/guides/webhooks');
  const resources = [...new Set(operations.map(({ name }) => `/docs/${name.split('.')[0]}`))];
  for (const path of resources) {
    expect(links(path), path).not.toEqual([]);
    for (const guide of links(path)) expect(links(guide), guide).toContain(path);
  }
  expect(htmlPages.get('/docs/guides/payments')).toContain(
    '<a href="/docs/payments#payments.capture"><code>POST /v1/payments/{id}/capture</code></a>',
  );
});

describe('samples', () => {
  test('are shell that bash can read, with a body that is JSON', () => {
    const script = samples.map(({ curl }) => curl).join('\n');
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    for (const { name, curl } of samples) {
      expect(curl, name).toMatch(/^curl (-X (POST|DELETE) )?"?https:\/\/localhost:9443\/v1\//);
      const [, body] = /--json '([\s\S]*)'$/.exec(curl) ?? [];
      if (body !== undefined) expect(() => JSON.parse(body.replaceAll("'\\''", "'")), name).not.toThrow();
    }
  });

  test('are TypeScript that Node can run', () => {
    for (const { name, typescript } of samples) {
      expect(() => stripTypeScriptTypes(typescript), name).not.toThrow();
      expect(typescript).toContain("baseUrl: 'https://localhost:9443'");
    }
    expect(samples.find(({ name }) => name === 'payments.list')!.typescript).toMatch(
      /for await \(const payment of tollgate\.payments\.list\(/,
    );
    expect(samples.find(({ name }) => name === 'customers.list_payment_methods')!.typescript).toContain(
      'tollgate.customers.listPaymentMethods(',
    );
  });

  test('name the address at which the server was asked, and never what is no address', async () => {
    const page = pages.get('/docs/payments')!;
    expect((await render(page, { host: 'pay.example.com' })).body).toContain(
      'curl https://pay.example.com/v1/payments',
    );
    expect((await render(page, { host: '[::1]:8443' })).body).toContain('curl https://[::1]:8443/v1/payments');
    for (const host of ['a"><script>', 'a;rm -rf', '$(id)', 'a/b', '', "a'b"])
      expect((await render(page, { host })).body).toContain('curl https://localhost:8443/v1/payments');
  });

  test('trust the local certificate in development alone', async () => {
    const elsewhere = documentationPages(described, 'dev', '/srv/gateway').find(
      ({ path }) => path === '/docs/payments',
    )!;
    expect((await render(elsewhere)).body).toContain('--cacert /srv/gateway/tls/ca.pem');
    const inProduction = documentationPages(described, 'serve').find(({ path }) => path === '/docs/payments')!;
    expect((await render(pages.get('/docs/payments')!)).body).toContain('--cacert .tollgate/tls/ca.pem');
    expect((await render(inProduction)).body).not.toContain('--cacert');
  });
});

test('a server without the folder of the guides has none, and no link to them', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'tollgate-no-guides-'));
  expect(guideNames(empty)).toEqual([]);
  expect(guideNames(join(empty, 'missing'))).toEqual([]);
  const bare = referencePages({ described, guideNames: [], dataDir: undefined }, async () => openApi(described));
  for (const page of bare) expect((await render(page)).body, page.path).not.toContain('/docs/guides');
});
