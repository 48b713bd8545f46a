import { isId } from '../../../base/id.ts';
import type { StatementLine } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { CallInFlight } from '../../../operations/notice_handlers.ts';
import { type InquiryServices, isFrom } from '../attempts/inquire.ts';
import { attemptsTable } from '../attempts/store.ts';
import type { AdoptResult, Beside } from '../payments/adopt.ts';
import { adoptRefund, Unrecordable } from './adopt.ts';
import type { RefundTopic } from './topic.ts';

export type RefundAdoptServices = InquiryServices & { refundTopic: RefundTopic };

/**
 * Records a refund in the statement of a processor that the ledger lacks: one of ours that a restore to an earlier moment has lost, or one
 * that was made at the processor. Undefined after a conflict.
 */
export async function adoptRefundLine(
  services: RefundAdoptServices,
  source: NoticeSource,
  line: StatementLine,
  audit: Beside,
): Promise<AdoptResult> {
  const { tenant, reference, money, origin, refund } = line;
  if (origin === undefined || refund === undefined) return { obstacle: 'the processor does not tell its name' };
  const { authorization, payment } = origin;
  const attempt = isId('att', reference) ? reference : undefined;
  if (attempt === undefined && reference !== refund) return { obstacle: `${reference} is no mark of Tollgate` };
  const held = await services.reads.one(attemptsTable, tenant, authorization);
  if (held === undefined) return { obstacle: `${payment} is not known here: adopt the day on which it was made` };
  if (held.payment === null) return { obstacle: `${authorization} is an attempt of ${held.setup}` };
  if (!isFrom(source, held)) return { obstacle: `${payment} was made by another processor account` };
  if (attempt !== undefined && (await services.reads.one(attemptsTable, tenant, attempt)) !== undefined)
    return { obstacle: `${attempt} is known here, and not posted as made: look at ${payment}` };
  let object: string | undefined;
  const beside = (id: string) => {
    object = id;
    return audit(id);
  };
  try {
    const reported = { tenant, refund, authorization, money, ...(attempt && { attempt }) };
    if ((await adoptRefund(services, services.refundTopic, reported, source, beside)) === 'conflict') return undefined;
  } catch (error) {
    if (error instanceof Unrecordable || error instanceof CallInFlight) return { obstacle: error.message };
    throw error;
  }
  return object === undefined ? { obstacle: `${refund} is recorded already, or has come back` } : { object };
}
