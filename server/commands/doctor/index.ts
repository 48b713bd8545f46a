import { systemClock } from '../../base/clock.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { coloured } from '../colour.ts';
import { print } from '../print.ts';
import { checkCheckout } from './checkout.ts';
import { checkDatabase } from './database.ts';
import { checkDataDirectory, checkKeyFiles } from './files.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { checkFonts } from './fonts.ts';
import { checkMail } from './mail.ts';
import { checkMetricsPort, checkPort } from './ports.ts';
import { checkPublicUrl, checkTls } from './tls.ts';

/** `checkout`: the page that customers get from a running server, instead of what a start depends on. */
type DoctorOptions = { for: 'dev' | 'serve' | 'checkout'; json?: boolean };

/** Checks everything that a start depends on, and says how to fix each problem. Changes nothing. */
export async function doctor({ for: purpose, json }: DoctorOptions): Promise<void> {
  const checks = [fine('node', `Node ${process.versions.node} on ${process.platform} ${process.arch}`)];
  try {
    if (purpose === 'checkout') checks.push(...(await checkCheckout(readConfig('dev'))));
    else {
      const config = readConfig(purpose);
      checks.push(
        fine('settings', `settings for tollgate ${purpose}`),
        ...(await findingsFor(config, systemClock.now())),
      );
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    checks.push(...error.problems.map((problem) => wrong('settings', problem)));
  }
  const ok = checks.every(({ state }) => state === 'ok');
  print(json, { ok, checks }, () => checks.map(lineOf).join('\n'));
  if (!ok) process.exitCode = 1;
}

const lineOf = ({ state, message }: Finding) =>
  `${state === 'ok' ? coloured('green', 'ok   ') : coloured('red', 'WRONG')}  ${message}`;

export async function findingsFor(config: Config, now: number): Promise<Finding[]> {
  return [
    ...checkDataDirectory(config),
    ...checkKeyFiles(config),
    ...checkTls(config, now),
    ...checkPublicUrl(config),
    ...(await checkDatabase(config)),
    await checkPort(config),
    ...(await checkMetricsPort(config)),
    checkFonts(),
    await checkMail(config),
  ];
}
