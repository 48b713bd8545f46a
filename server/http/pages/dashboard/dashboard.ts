import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { escapeHtml, type Page, type PageRequest, type Rendered } from '../../../base/page.ts';
import { brand, htmlPage } from '../html.ts';
import * as built from './built.ts';
import { firstPaintOf } from './first_paint.ts';

export type DashboardOptions = {
  /** Builds what is missing or older than its sources, in the background. */
  builds: boolean;
  /** Looks at the sources whenever the page is loaded, for those who change them. */
  watches: boolean;
  clock: Pick<Clock, 'monotonic'>;
  /** The file of the local certificate authority, for the commands that the dashboard shows. */
  caFile?: string | undefined;
  /** Whether the gateway sends mails: links go by mail then. */
  sendsMail?: boolean;
  /** What finds and builds the files. */
  files?: Pick<typeof built, 'buildDashboard' | 'builtFolder' | 'canBuild' | 'sourceHash'>;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
};

const nonceMark = '%NONCE%';
const caFileMark = '%CA_FILE%';
const mailMark = '%MAIL%';
const shapeMark = '%SHAPE%';
const schemeMark = '%SCHEME%';
const foreverSeconds = 31_536_000;
/** The sources are read no more often than this: anybody may load the page, as often as they like. */
const lookedAtMs = 1_000;

/** Scripts, styles and fonts come from this server alone. Style elements that scripts make carry the nonce of the page. */
function policy(nonce: string): string {
  return [
    ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "connect-src 'self'"],
    ...["img-src 'self'", "font-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    "frame-src 'self'", // mails, of which each comes with a sandbox
  ].join('; ');
}

/** Serves the built dashboard, and builds it when it must. The API answers meanwhile. */
export class Dashboard {
  readonly name = 'dashboard';
  readonly #options: DashboardOptions & Required<Pick<DashboardOptions, 'files'>>;
  readonly #ending = new AbortController();
  /** The built files that were read, by their paths below the folder. */
  readonly #files = new Map<string, Buffer>();
  #folder: string | undefined;
  /** The names of the files below assets/: a name that a client makes up never reaches the file system. */
  #assetNames: ReadonlySet<string> = new Set();
  #building: Promise<void> | undefined;
  #failure: string | undefined;
  /** The sources that were looked at last: a build that has failed is not tried again. */
  #tried: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DashboardOptions) {
    this.#options = { files: built, ...options };
  }

  start(): void {
    if (this.#options.builds) this.#look();
  }

  /** A build that runs is given up. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#building;
  }

  /**
   * Not counted against the address: who reloads, or shares an address with colleagues, is not locked out of the API by it. They come from
   * memory, and cost the database nothing, not even a row for an asset that does not exist.
   */
  pages(): Page[] {
    const page = { counted: false, logged: 'refused', render: (request: PageRequest) => this.#page(request) } as const;
    return [
      { path: '/dashboard', ...page },
      { path: '/dashboard/*', ...page },
      {
        path: '/dashboard/assets/:name',
        counted: false,
        logged: 'never',
        render: ({ params, headers }) => this.#asset(params.name!, headers),
      },
    ];
  }

  #build(): void {
    const { log, files } = this.#options;
    this.#building ??= files
      .buildDashboard({ signal: this.#ending.signal })
      .then((folder) => {
        this.#serveFrom(folder);
        this.#failure = undefined;
        log.info({}, 'the dashboard is built');
      })
      .catch((error: Error) => {
        if (!this.#ending.signal.aborted) this.#fail(error);
      })
      .finally(() => {
        this.#building = undefined;
      });
  }

  #page(request: PageRequest): Rendered {
    if (this.#building === undefined && (this.#folder === undefined || this.#options.watches)) this.#look();
    if (this.#building !== undefined) return waiting();
    const page = this.#failure === undefined ? this.#read('index.html') : undefined;
    if (page === undefined) return this.#unavailable();
    const nonce = randomBytes(18).toString('base64');
    const caFile = escapeHtml(this.#options.caFile ?? '');
    const { shape, scheme } = firstPaintOf(request);
    const body = page
      .toString()
      .replaceAll(nonceMark, nonce)
      .replace(shapeMark, shape)
      .replace(schemeMark, scheme)
      .replace(mailMark, this.#options.sendsMail ? 'sent' : '')
      .replace(caFileMark, () => caFile);
    const headers = { 'Content-Security-Policy': policy(nonce), 'Referrer-Policy': 'same-origin' };
    return { status: 200, contentType: 'text/html; charset=utf-8', body, headers };
  }

  /** Finds what is built. The sources may have changed since. */
  #look(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#lookedAt < lookedAtMs) return;
    this.#lookedAt = now;
    try {
      this.#find();
    } catch (error) {
      this.#fail(error as Error); // a file that cannot be read: the API goes on
    }
  }

  #find(): void {
    const { files, builds } = this.#options;
    const hash = files.sourceHash();
    const folder = files.builtFolder(hash);
    if (folder === undefined && builds && hash !== this.#tried && files.canBuild()) this.#build();
    this.#tried = hash;
    if (folder !== undefined) this.#failure = undefined; // a change that broke it was taken back
    if (folder !== this.#folder) this.#serveFrom(folder);
  }

  #serveFrom(folder: string | undefined): void {
    this.#folder = folder;
    this.#files.clear();
    this.#assetNames = folder === undefined ? new Set() : fileNamesIn(join(folder, 'assets'));
  }

  #fail({ message }: Error): void {
    this.#failure = message;
    this.#options.log.error({ error: message }, 'could not build the dashboard');
  }

  #unavailable(): Rendered {
    if (this.#failure !== undefined)
      return words(
        'The dashboard could not be built',
        `<pre tabindex="0"><code>${escapeHtml(this.#failure)}</code></pre>
<p>The API answers without it. Fix it, and ${this.#options.watches ? 'load this page again' : 'restart the gateway'}.</p>`,
      );
    return words(
      'The dashboard is not built',
      `<p>The API answers without it. What builds it is not installed. In the checkout, run this, and restart the gateway:</p>
<pre tabindex="0"><code>npm ci --include=dev</code></pre><p>The package that <code>npm pack</code> makes has it built.</p>`,
    );
  }

  /** The name of an asset has a hash of what is in it: it can be kept for ever. */
  #asset(name: string, headers: PageRequest['headers']): Rendered {
    // The page may have come from another instance.
    if (this.#folder === undefined && this.#building === undefined) this.#look();
    const body = this.#readAsset(name);
    if (body === undefined)
      return { status: 404, contentType: 'text/plain; charset=utf-8', body: 'There is no such file.\n' };
    const [encoding, compressed] = this.#compressed(name, headers['accept-encoding'] ?? '');
    return {
      status: 200,
      contentType: typeOf(name),
      body: '',
      bytes: compressed ?? body,
      cacheControl: `public, max-age=${foreverSeconds}, immutable`,
      headers: { Vary: 'Accept-Encoding', ...(compressed && { 'Content-Encoding': encoding }) },
    };
  }

  #compressed(name: string, accepted: string): [encoding: string, body: Buffer | undefined] {
    for (const [encoding, extension] of [
      ['br', 'br'],
      ['gzip', 'gz'],
    ] as const)
      if (new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted))
        return [encoding, this.#readAsset(`${name}.${extension}`)];
    return ['', undefined];
  }

  #readAsset(name: string): Buffer | undefined {
    return this.#assetNames.has(name) ? this.#read(join('assets', name)) : undefined;
  }

  /** Kept in memory: they are small, and every page asks for them. */
  #read(path: string): Buffer | undefined {
    const kept = this.#files.get(path);
    if (kept !== undefined) return kept;
    const file = this.#folder === undefined ? undefined : join(this.#folder, path);
    if (file === undefined || !existsSync(file)) return undefined; // another process may have replaced the folder
    const bytes = readFileSync(file);
    this.#files.set(path, bytes);
    return bytes;
  }
}

function fileNamesIn(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set();
  const entries = readdirSync(folder, { withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** Loads itself again until the dashboard is there. */
function waiting(): Rendered {
  const page = words(
    'The dashboard is being built',
    '<p>This takes a few seconds, once. The API already answers. This page loads itself again.</p>',
  );
  return { ...page, headers: { ...page.headers, Refresh: '1' } };
}

function words(title: string, html: string): Rendered {
  return htmlPage(
    title,
    `<header class="top above-home">${brand('/')}</header>
<main class="home"><h1>${title}</h1>${html}<p><a href="/">About this server</a></p></main>`,
  );
}
