import { systemClock } from '../../base/clock.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { checkDatabase } from './database.ts';
import { checkDataDirectory, checkKeyFiles } from './files.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { checkMetricsPort, checkPort } from './ports.ts';
import { checkPublicUrl, checkTls } from './tls.ts';

/** Checks everything that a start depends on, and says how to fix each problem. Changes nothing. */
export async function doctor({ for: purpose }: { for: 'dev' | 'serve' }): Promise<void> {
  const findings = [fine(`Node ${process.versions.node} on ${process.platform} ${process.arch}`)];
  try {
    const config = readConfig(purpose);
    findings.push(fine(`settings for tollgate ${purpose}`), ...(await findingsFor(config, systemClock.now())));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.push(...error.problems.map(wrong));
  }
  for (const { ok, text } of findings) console.log(`${ok ? 'ok   ' : 'WRONG'}  ${text}`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

export async function findingsFor(config: Config, now: number): Promise<Finding[]> {
  return [
    ...checkDataDirectory(config),
    ...checkKeyFiles(config),
    ...checkTls(config, now),
    ...checkPublicUrl(config),
    ...(await checkDatabase(config)),
    await checkPort(config),
    ...(await checkMetricsPort(config)),
  ];
}
