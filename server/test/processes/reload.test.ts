import { X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { delimiter, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ensureLocalCertificate, type LocalCertificate } from '../../base/certificates/index.ts';
import { createDatabase } from '../harness.ts';
import { unusedPort } from '../unused_port.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let server: Running;
let [certFile, keyFile, notified, metricsUrl] = ['', '', '', ''];

beforeAll(async () => {
  database = await createDatabase();
  const home = children.directory();
  notified = join(home, 'notified');
  const metricsPort = await unusedPort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const environment = children.serveEnvironment({
    DATABASE_URL: database.url,
    METRICS_PORT: String(metricsPort),
    NOTIFY_SOCKET: '/run/systemd/notify',
    PATH: `${pretendSystemd(home)}${delimiter}${process.env.PATH}`,
  });
  certFile = join(home, 'cert.pem');
  keyFile = join(home, 'key.pem');
  copyFileSync(environment.TLS_CERT_FILE!, certFile);
  copyFileSync(environment.TLS_KEY_FILE!, keyFile);
  server = await children.serve({ ...environment, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
});
afterAll(async () => {
  await children.cleanUp();
  await database.drop();
});

/** A folder with a `systemd-notify` that writes down what it is asked to send, and where. */
function pretendSystemd(home: string): string {
  const folder = children.directory('bin');
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${join(home, 'notified')}'\n`);
  chmodSync(program, 0o755);
  return folder;
}

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;

/** The certificate that a new connection is shown. */
function shownCertificate(): Promise<string> {
  const { port } = new URL(server.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

async function renewal(): Promise<LocalCertificate> {
  const aWeekAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1_000);
  const renewed = await ensureLocalCertificate(children.directory('renewed'), aWeekAgo);
  writeFileSync(certFile, renewed.cert);
  writeFileSync(keyFile, renewed.key);
  return renewed;
}

const hasLogged = (line: string) => until(line, patienceMs, () => server.child.stdout.includes(line));

const expiryMetric = async () =>
  Number(/^tollgate_certificate_expiry_timestamp_seconds (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1]);

test('systemd is notified once the server answers', async () => {
  await until('systemd is notified', patienceMs, () => {
    try {
      return readFileSync(notified, 'utf8') === '/run/systemd/notify READY=1\n';
    } catch {
      return false;
    }
  });
});

test('SIGHUP makes new connections see a renewed certificate, while open ones continue', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  const before = readFileSync(certFile, 'utf8');
  const ports = [await localPort(agent)];
  expect(await shownCertificate()).toBe(fingerprintOf(before));

  const { cert } = await renewal();
  server.child.signal('SIGHUP');
  await hasLogged('the certificate was reloaded');
  expect(await shownCertificate()).toBe(fingerprintOf(cert));
  expect(await expiryMetric()).toBe(new X509Certificate(cert).validToDate.getTime() / 1_000);
  ports.push(await localPort(agent));
  expect(ports[1]).toBe(ports[0]);
  agent.destroy();
});

test('files that cannot be used leave the certificate in use, and the log names the reason', async () => {
  const inUse = readFileSync(certFile, 'utf8');
  writeFileSync(keyFile, 'not a key');
  server.child.signal('SIGHUP');
  await hasLogged('could not reload the certificate; the previous one stays in use');
  expect(server.child.stdout).toContain('TLS_KEY_FILE holds no private key in PEM format');
  expect(await shownCertificate()).toBe(fingerprintOf(inUse));
});

/** Of the connection that a request was answered on. */
function localPort(agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.baseUrl}/healthz`, { agent }, (response) => {
      const { localPort: port } = response.socket;
      response.resume().once('end', () => resolve(port));
    });
    asked.once('error', reject);
    asked.end();
  });
}
