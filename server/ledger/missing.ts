import type { PostingKind } from './chart.ts';

/** The kinds of postings that a row should have and has not. */
export type Lacking = { lacking: PostingKind[] };

/** SQL: whether the payment, refund, dispute or credit transaction `row` has a posting of this kind. */
export function isPostedSql(row: string, kind: PostingKind): string {
  return `exists (select from postings x where x.tenant = ${row}.tenant and x.source = ${row}.id and x.kind = '${kind}')`;
}

/** SQL: the kinds of the SQL array `expected` of which the payment, refund, dispute or credit transaction `row` has no posting. */
export function missingKindsSql(row: string, expected: string): string {
  return `array(select e.kind from unnest(${expected}) with ordinality as e (kind, place)
                 where not exists (select from postings x where x.tenant = ${row}.tenant and x.source = ${row}.id and x.kind = e.kind)
                 order by e.place)`;
}
