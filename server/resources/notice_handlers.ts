import type { Notice } from '../connectors/contract.ts';

/** Writes down what a notice says. Rejects when it could not: then the processor is asked for the notice again. */
export type NoticeHandler<Kind extends Notice['kind']> = (
  notice: Extract<Notice, { kind: Kind }>,
  connector: string,
) => Promise<void>;

/** What a resource does about the kinds of notices that concern it. */
export type NoticeHandlers = { [Kind in Notice['kind']]?: NoticeHandler<Kind> };
