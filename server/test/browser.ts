import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { patienceMs } from './processes/child.ts';

/** How the tests start a browser: a path, and what its environment needs. Undefined where there is none. */
export type BrowserProgram = { executablePath: string; environment: Record<string, string> } | undefined;

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];
const onMacs = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** The one that is installed, or the one that comes with `npm ci` for Linux on x64. */
export async function findBrowser(): Promise<BrowserProgram> {
  const executablePath = [...installed, ...onMacs].find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath, environment: {} };
  return process.platform === 'linux' && process.arch === 'x64' ? unpackBrowser() : undefined;
}

const unpacked = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chromium');

/**
 * Unpacks the browser of the package, with the libraries that few servers have, into the folder for temporary files of a separate process.
 * The package unpacks the libraries only where it finds itself on a certain host of functions, and then changes its environment.
 */
async function unpackBrowser(): Promise<BrowserProgram> {
  mkdirSync(unpacked, { recursive: true });
  const script = "import('@sparticuz/chromium').then(({ default: one }) => one.executablePath()).then(console.log)";
  const env = { ...process.env, TMPDIR: unpacked, CODEBUILD_BUILD_IMAGE: 'nodejs24' };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env, cwd: import.meta.dirname });
  const environment = { LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'), FONTCONFIG_FILE: configureFonts() };
  return { executablePath: stdout.trim(), environment };
}

/** The configuration in the package names folders of its host. Without any font, a text has no size, and counts as hidden. */
function configureFonts(): string {
  const path = join(unpacked, 'fonts.conf');
  const folders = [join(unpacked, 'fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('');
  writeFileSync(path, `<fontconfig>${folders}<cachedir>${join(unpacked, 'fonts-cache')}</cachedir></fontconfig>\n`);
  return path;
}

/** One for a file; each test opens tabs. */
export async function openBrowser(): Promise<Browser> {
  const program = inject('browser');
  if (program === undefined)
    throw new Error(
      'These tests need a browser: install Chromium (apt-get install chromium) or Chrome, and try again.',
    );
  const { executablePath, environment } = program;
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...environment } as Record<string, string>,
    args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${keyOfServers()}`],
  });
  return withPatience(browser);
}

/** Playwright gives up after 30 s, which a step can take on a busy machine. */
function withPatience(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  return browser;
}

/** The browser trusts the certificate of the tests: it keeps no file that comes from a server it does not trust. */
function keyOfServers(): string {
  const certificate = new X509Certificate(readFileSync(join(inject('certificateDir'), 'server.pem')));
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
