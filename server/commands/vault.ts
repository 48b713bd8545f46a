import { setTimeout as pause } from 'node:timers/promises';
import { recordAudit } from '../resources/people/audit_log/audit.ts';
import { type Rotation, type RotationStep, rotateVault } from '../vault/index.ts';
import { withConnection } from './context.ts';
import { print } from './print.ts';
import { Progress } from './progress.ts';

export async function rotate(options: { json?: boolean }): Promise<void> {
  const rotation = await withConnection(async ({ client, at, masters, actor }) => {
    using progress = new Progress('tenants');
    const follow = follower(progress);
    const done = await rotateVault({
      at,
      masters,
      pause,
      report(step) {
        if (!options.json) tell(step);
        follow(step);
      },
    });
    await recordAudit(client, actor.now, {
      actor: actor.name,
      action: 'vault.rotate',
      account: null,
      subject: null,
      details: detailsOf(done),
    });
    return done;
  });
  const ok = rotation.unfinished === 0;
  print(options.json, { ok, ...detailsOf(rotation), unreadable: rotation.unreadable }, () => summary(rotation));
  if (!ok) process.exitCode = 1;
}

function detailsOf(rotation: Rotation) {
  return {
    resumed: rotation.resumed,
    root_resealed: rotation.rootResealed,
    keys_rewrapped: rotation.rewrapped,
    tenants: rotation.tenants,
    cards: rotation.cards,
    cvcs: rotation.cvcs,
    secrets: rotation.secrets,
    keys_destroyed: rotation.destroyed,
    tenants_unfinished: rotation.unfinished,
    unreadable: rotation.unreadable.length,
  };
}

/** Shows how many tenants are under way or done, and how many rows have new keys. */
function follower(progress: Progress): (step: RotationStep) => void {
  const tenants = new Set<number>();
  let [total, rows] = [0, 0];
  return (step) => {
    if (step.kind === 'started' || step.kind === 'resumed') total = step.tenants;
    if (step.kind !== 'reencrypted') return;
    tenants.add(step.tenant);
    rows += step.rows;
    progress.set(tenants.size - 1, total, `${rows} rows`);
  };
}

/** Announces the steps that take long. */
function tell(step: RotationStep): void {
  if (step.kind === 'queued') console.log('Another rotation is running. Waiting for it to end.');
  if (step.kind === 'resumed') console.log('An earlier rotation did not finish. Going on with it.');
  if (step.kind === 'waiting')
    console.log(`Waiting ${Math.ceil(step.milliseconds / 1_000)} s, until every server seals with the new keys.`);
}

function summary(rotation: Rotation): string {
  const lines = [
    `Root key              ${rotation.rootResealed ? 'sealed under the new master key' : 'unchanged'}`,
    `Data keys re-wrapped  ${rotation.rewrapped}`,
    `Tenants               ${rotation.tenants}`,
    `Cards re-encrypted    ${rotation.cards}`,
    `Codes re-encrypted    ${rotation.cvcs}`,
    `Secrets re-encrypted  ${rotation.secrets}`,
    `Old keys destroyed    ${rotation.destroyed}`,
  ];
  if (rotation.unreadable.length > 0)
    lines.push('', `These do not open, and stay with their old key: ${rotation.unreadable.join(', ')}`);
  if (rotation.unfinished > 0)
    lines.push('', `${rotation.unfinished} tenant(s) still have an old key. Run it again: tollgate vault rotate`);
  return lines.join('\n');
}
