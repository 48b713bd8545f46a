import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createSessions } from './fill.ts';
import { requireWrk } from './load.ts';
import { startEcho, startGateway } from './processes.ts';
import { table, turnsOf } from './samples.ts';
import { inTurns, type Measured } from './turns.ts';

/**
 * Measures the page of a checkout session beside the echo, in turns: `node bench/pages.ts [turns] [seconds]`. Prints its bytes too. Traffic
 * goes to loopback only.
 */
const turns = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
const sessions = 500;
const shape = { turns, seconds, warmUpRequests: 20_000, connections: 64 };

/** The page as a browser without cookies gets it. */
function fetchPage(dataDir: string, port: number, path: string): Promise<string> {
  const agent = new Agent({ ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Language': 'en' };
    get({ agent, port, host: 'localhost', path, headers }, async (answer) => {
      resolve(await answer.setEncoding('utf8').reduce((all: string, chunk: string) => all + chunk, ''));
      agent.destroy();
    }).on('error', reject);
  });
}

const kilobytes = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KB`;

function sizesOf(page: string): string {
  const scripts = [...page.matchAll(/<script>[\s\S]*?<\/script>/g)].map(([text]) => text).join('');
  const rest = page.replaceAll(/<script>[\s\S]*?<\/script>/g, '');
  const of = (text: string) => `${kilobytes(text.length)}, gzipped ${kilobytes(gzipSync(text).length)}`;
  return `a session of one line: HTML and CSS ${of(rest)}; scripts ${of(scripts)}; sent as it is, because it has a token`;
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const echo = await startEcho(dataDir);
const gateway = await startGateway(dataDir, { program: [join(import.meta.dirname, 'serve_pages.ts')] });
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, load ${loadavg()[0]!.toFixed(2)}, Node ${process.version}`,
  );
  const { key } = await gateway.account();
  const { port } = gateway;
  const paths = await createSessions(dataDir, port, key, sessions);
  const ids = join(dataDir, 'pages');
  writeFileSync(ids, `${paths.join('\n')}\n`);
  console.log(sizesOf(await fetchPage(dataDir, port, paths[0]!)));
  const rows: Measured[] = [
    {
      name: 'echo',
      kind: 'echo',
      pid: echo.pid,
      workload: { kind: 'customers', port: echo.port, key: 'none' },
      samples: [],
    },
    { name: 'page', kind: 'page', pid: gateway.pid, workload: { kind: 'page', port, key, ids }, samples: [] },
  ];
  await inTurns('pages', rows, shape);
  console.log(`${table(rows)}\n\nturns, requests/s / Node µs / PG µs:\n${rows.map(turnsOf).join('\n')}`);
} finally {
  await gateway.stop();
  await echo.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
