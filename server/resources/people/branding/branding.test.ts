import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pngOf, samples } from '../../../base/images/images.fixture.ts';
import { chunkOf } from '../../../base/images/png.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type Role, roles } from '../../../operations/role.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { contrast, contrastMin, textColorOn } from './branding.ts';
import { cachedBranding } from './shown.ts';

let server: TestServer;
let shop: TestAccount;
const people = {} as Record<Role, Client>;

beforeAll(async () => {
  server = await startServer({ environment: { PUBLIC_URL: 'https://pay.test' } });
  shop = await server.account();
  for (const role of roles) people[role] = (await server.person(shop.id, role)).client;
});
afterAll(() => server.stop());

const change = async (body: object) => (await people.owner.post('/v1/branding', body)).json;
const png = pngOf({ before: [chunkOf('tEXt', Buffer.from('Canary'))] });
const base64 = (file: Buffer) => file.toString('base64');
const pathOf = (url: string) => new URL(url).pathname;
/** By hand, because the client of the tests reads texts. */
const bytesOf = async (path: string) => {
  const { request } = await import('node:https');
  return new Promise<Buffer>((resolve, reject) => {
    request(new URL(path, server.baseUrl), { rejectUnauthorized: false }, async (answer) =>
      resolve(Buffer.concat(await answer.toArray())),
    )
      .on('error', reject)
      .end();
  });
};
const all = {
  display_name: 'Zwölf & <b>Söhne</b>',
  color: '#0A7D5A',
  support_email: 'help@shop.example',
  support_address: 'Ring 1\n1010 Wien',
  statement_descriptor: 'SHOP WIEN',
  terms_url: 'https://shop.example/terms',
  privacy_url: 'https://shop.example/privacy',
};
const tenantsOf = async () => {
  const { rows } = await server.sql.query('select tenant from tenants where account = $1', [shop.id]);
  return rows.map(({ tenant }) => tenant as Tenant);
};
/** As pages see it, without the cache of the server. */
const shownIn = (tenant: Tenant) => {
  const directory = { rows: async (text: string, values: unknown[]) => (await server.sql.query(text, values)).rows };
  const reads = { directory } as never;
  return cachedBranding({
    reads,
    clock: { monotonic: () => 0 },
    accountName: async () => 'Corner shop',
    directoryGraceMs: 0,
  }).brandingOf(tenant);
};

describe('the branding of an account', () => {
  test('is empty at first, and everybody sees it', async () => {
    for (const client of Object.values(people))
      expect((await client.get('/v1/branding')).json).toEqual({ object: 'branding' });
    const [tenant] = await tenantsOf();
    expect(await shownIn(tenant!)).toEqual({ name: 'Corner shop' });
  });

  test('is changed by owners alone, in the audit log', async () => {
    for (const role of roles.filter((one) => one !== 'owner'))
      expect((await people[role].post('/v1/branding', all)).json.error.code).toBe('role_missing');
    expect((await shop.test.get('/v1/branding')).status).not.toBe(200);
    const shown = await change(all);
    expect(shown).toEqual({ object: 'branding', ...all, color: '#0a7d5a', text_color: '#ffffff' });
    await change({ support_email: 'new@shop.example' });
    await change({ support_email: 'new@shop.example' });
    const text = `select details from audit where account = $1 and action = 'branding.updated' order by id`;
    const { rows } = await server.sql.query(text, [shop.id]);
    expect(rows).toHaveLength(2);
    expect(rows[1].details).toEqual({
      from: { support_email: all.support_email },
      to: { support_email: 'new@shop.example' },
    });
  });

  test('is one for both modes, and pages show it', async () => {
    await change(all);
    const live = people.owner.with({ 'X-Tollgate-Mode': 'live' });
    expect((await live.get('/v1/branding')).json).toMatchObject({ display_name: all.display_name });
    for (const tenant of await tenantsOf())
      expect(await shownIn(tenant)).toEqual({
        ...{ name: all.display_name, colors: { background: '#0a7d5a', text: '#ffffff' } },
        ...{ supportEmail: all.support_email, supportAddress: all.support_address },
        ...{ statementDescriptor: all.statement_descriptor, termsUrl: all.terms_url, privacyUrl: all.privacy_url },
      });
  });

  test('is another one in each account', async () => {
    const other = await server.account();
    const { client } = await server.person(other.id, 'owner');
    expect((await client.get('/v1/branding')).json).toEqual({ object: 'branding' });
  });

  test('loses what is cleared', async () => {
    await change(all);
    const cleared = Object.fromEntries(Object.keys(all).map((name, at) => [name, at % 2 === 0 ? null : '']));
    expect(await change(cleared)).toEqual({ object: 'branding' });
  });

  test.each<[string, unknown]>([
    ['display_name', 'x'.repeat(101)],
    ['display_name', '   '],
    ['display_name', 'two\nlines'],
    ['display_name', 'turned \u202e round'],
    ['color', 'red'],
    ['color', '#12345'],
    ['color', '#12345g'],
    ['color', '#1234567'],
    ['color', 'url(//evil.example)'],
    ['support_email', 'nobody'],
    ['support_email', 'a@b.example, c@d.example'],
    ['support_address', 'a\nb\nc\nd\ne\nf\ng'],
    ['support_address', 'x'.repeat(301)],
    ['support_address', 'bell \u0007'],
    ['legal_name', 'two\nlines'],
    ['legal_name', 'x'.repeat(201)],
    ['legal_address', 'a\nb\nc\nd\ne\nf\ng'],
    ['tax_id', 'x'.repeat(65)],
    ['tax_id', 'turned \u202e round'],
    ['document_footer', 'a\nb\nc\nd\ne'],
    ['document_footer', ' \n '],
    ['statement_descriptor', 'abc'],
    ['statement_descriptor', '12345'],
    ['statement_descriptor', 'x'.repeat(23)],
    ['statement_descriptor', '<script>'],
    ['statement_descriptor', 'ÜMLAUT GMBH'],
    ['terms_url', 'http://shop.example/terms'],
    ['terms_url', 'javascript:alert(1)'],
    ['privacy_url', 'https://user:pass@shop.example/'],
    ['privacy_url', 'https:shop.example'],
    ['privacy_url', `https://shop.example/${'x'.repeat(2_048)}`],
    ['logo', 7],
    ['logo', 'not base64'],
    ['logo', `data:image/png;base64,${base64(png)}`],
    ['logo', base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['logo', base64(pngOf({ before: [chunkOf('acTL', Buffer.alloc(8))] }))],
    ['logo', base64(Buffer.alloc(131_073))],
    ['logo', 'A'.repeat(174_768)],
    ['logo', base64(pngOf({ width: 2_049 }))],
    ['css', 'body{}'],
  ])('takes no %s such as %j', async (param, value) => {
    const before = (await people.owner.get('/v1/branding')).json;
    const { status, json } = await people.owner.post('/v1/branding', { [param]: value });
    expect([status, json.error?.param]).toEqual([400, param]);
    expect((await people.owner.get('/v1/branding')).json).toEqual(before);
  });
});

describe('a logo', () => {
  test.each([
    ['PNG', png, pngOf(), 'image/png', 3, 2],
    ['JPEG', samples.jpeg, samples.jpeg, 'image/jpeg', 8, 8],
    ['WebP', samples.transparentWebp, samples.transparentWebp, 'image/webp', 24, 16],
  ])(
    'is served with its own type, without metadata, and kept by browsers: %s',
    async (_, file, clean, type, width, height) => {
      const { logo } = await change({ logo: base64(file) });
      expect(logo).toEqual({
        url: expect.stringMatching(/^https:\/\/pay\.test\/logos\/[0-9a-f]{32}\.\w+$/),
        type,
        width,
        height,
      });
      const { status, headers } = await server.anonymous.get(pathOf(logo.url));
      expect([status, headers['content-type']]).toEqual([200, type]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'content-length': String(clean.length),
      });
      expect(await bytesOf(pathOf(logo.url))).toEqual(clean);
      expect((await server.anonymous.request('HEAD', pathOf(logo.url))).status).toBe(200);
      const [tenant] = await tenantsOf();
      expect((await shownIn(tenant!)).logo).toEqual({ path: pathOf(logo.url), width, height });
    },
  );

  test('stays while other things change, and is gone once it is replaced or removed', async () => {
    const count = async () => (await server.sql.query('select 1 from logos where account = $1', [shop.id])).rowCount;
    const first = (await change({ logo: base64(png) })).logo;
    expect((await change({ color: '#123456' })).logo).toEqual(first);
    expect((await change({ logo: base64(pngOf()) })).logo).toEqual(first); // the same picture, without metadata
    const second = (await change({ logo: base64(samples.jpeg) })).logo;
    expect([(await server.anonymous.get(pathOf(first.url))).status, await count()]).toEqual([404, 1]);
    expect(await change({ logo: null })).not.toHaveProperty('logo');
    expect([(await server.anonymous.get(pathOf(second.url))).status, await count()]).toEqual([404, 0]);
    expect((await change({ logo: base64(png) })).logo).toEqual(first);
  });

  test('of another account with the same picture is another file', async () => {
    const other = await server.account();
    const { client } = await server.person(other.id, 'owner');
    const mine = (await change({ logo: base64(png) })).logo;
    const theirs = (await client.post('/v1/branding', { logo: base64(png) })).json.logo;
    expect(theirs.url).not.toBe(mine.url);
    await change({ logo: null });
    expect((await server.anonymous.get(pathOf(theirs.url))).status).toBe(200);
  });

  test.each(['x', '..%2f..%2fetc%2fpasswd', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`, '%00', "' or 1=1"])(
    'that there is not is not found: %s',
    async (name) => {
      expect((await server.anonymous.get(`/logos/${encodeURI(name)}`)).status).toBe(404);
    },
  );

  test('that two owners send at the same moment leaves one file', async () => {
    const files = [png, samples.jpeg, samples.lossyWebp, samples.progressiveJpeg];
    await Promise.all(files.map((file) => change({ logo: base64(file) })));
    const { rows } = await server.sql.query('select name from logos where account = $1', [shop.id]);
    const { logo } = (await people.owner.get('/v1/branding')).json;
    expect(rows.map(({ name }) => `/logos/${name}`)).toEqual([pathOf(logo.url)]);
  });
});

test('text on any colour can be read', () => {
  const color = fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (one) => contrast(textColorOn(one), one) >= contrastMin),
    { numRuns: 5_000 },
  );
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(['#0a7d5a', '#ffff00', '#767676', '#777777', '#000000'].map(textColorOn)).toEqual([
    ...['#ffffff', '#000000', '#ffffff', '#000000', '#ffffff'],
  ]);
});
