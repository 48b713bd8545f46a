import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { auditOperations } from './operations.ts';
import { sweepRefused } from './refused.ts';
import { auditInTimelines } from './timeline.ts';

export const auditLog = resource({
  name: 'audit_log',
  about: 'Who changed what, and who was refused: written together with each change that a person makes.',
  operations: auditOperations,
  chores: [{ name: 'refused entries of the audit log', run: sweepRefused }],
  extensions: [timelineSources.with(auditInTimelines)],
});
