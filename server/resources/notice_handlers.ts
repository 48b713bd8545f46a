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

/** The one handler of each kind. A kind that nobody handles is an error of the composition. */
export function noticeDispatch(all: readonly NoticeHandlers[]): NoticeHandler {
  return async (notice, connector) => {
    const handler = all.map((handlers) => handlers[notice.kind]).find((one) => one !== undefined);
    if (handler === undefined) throw new Error(`nothing handles a notice of kind ${notice.kind}`);
    await (handler as NoticeHandler)(notice, connector);
  };
}
