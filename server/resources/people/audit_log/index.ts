import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { auditOperations } from './operations.ts';
import { type RefusedActRecorder, RefusedActs, sweepRefused } from './refused.ts';
import { auditInTimelines } from './timeline.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Records in the audit log what somebody was refused. */
    refusedActs: RefusedActRecorder;
  }
  interface ServiceCounters {
    auditDropped(entries: number): void;
  }
}

export const auditLog = resource({
  name: 'audit_log',
  about: 'Who changed what, and who was refused: written together with each change that a person makes.',
  place: { group: 'People', position: 60 },
  provides({ relaxed, clock, count }) {
    const refusedActs = new RefusedActs(relaxed.directory, clock, count.auditDropped);
    return { services: { refusedActs }, close: () => refusedActs.close() };
  },
  operations: auditOperations,
  maintenance: [{ name: 'refused entries of the audit log', home: 'directory', run: sweepRefused }],
  extensions: [timelineSources.with(auditInTimelines)],
});
