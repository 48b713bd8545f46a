import type { Tenant } from '../base/reads.ts';
import type { AttemptId, InquiryOutcome, Notice } from '../connectors/contract.ts';

/** Writes down what a notice says. Rejects when it could not: then the processor is asked for the notice again. */
export type NoticeHandler<Kind extends Notice['kind'] = Notice['kind']> = (
  notice: Extract<Notice, { kind: Kind }>,
  connector: string,
) => Promise<void>;

/** What a resource does about the kinds of notices that concern it. */
export type NoticeHandlers = { [Kind in Notice['kind']]?: NoticeHandler<Kind> } & {
  /** About an answer to one of our own calls that came after its deadline. */
  late?: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => Promise<void>;
};

/** Hands a notice to every resource that it concerns. Each writes it down by itself, and may be told the same again. */
export function noticeDispatch(all: readonly NoticeHandlers[]): NoticeHandler {
  return async (notice, connector) => {
    const concerned = all.flatMap((handlers) => (handlers[notice.kind] as NoticeHandler | undefined) ?? []);
    if (concerned.length === 0) throw new Error(`no resource handles a notice of kind ${notice.kind}`);
    for (const handle of concerned) await handle(notice, connector);
  };
}
