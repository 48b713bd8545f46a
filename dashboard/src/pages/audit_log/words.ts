import type { AuditEntry } from '@tollgate/node';
import { wordsOf } from '../../kit/status.tsx';

/** `user.role_changed` becomes `User: role changed`; the code of a refusal becomes words. */
export function actionWords({ action }: Pick<AuditEntry, 'action'>): string {
  const [noun = '', ...rest] = action.split('.');
  return rest.length === 0 ? wordsOf(noun) : `${wordsOf(noun)}: ${rest.join(' ').replaceAll('_', ' ')}`;
}
