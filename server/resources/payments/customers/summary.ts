import { Type } from '../../../base/schema.ts';
import { mayRead } from '../../../operations/caller.ts';
import { type CustomerFigures, summedMax } from '../../../operations/extension_points/customer_summary.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { Currency, Flag, ObjectKind, Text, Whole } from '../../../operations/schemas.ts';
import { requireCustomer } from './operations.ts';

const most = summedMax.toLocaleString('en');

const creditShape = Type.Array(
  Type.Object(
    { currency: Currency, amount: Whole('In the smallest unit of the currency.') },
    { title: 'CustomerCredit', description: 'Credit in one currency.' },
  ),
  { description: 'The credit that the next invoices use before anything is charged, by currency.' },
);

/** The members that resources add are absent for callers that may not read what they are about. */
function summaryShape(sources: readonly CustomerFigures[]) {
  const added = Object.fromEntries(
    sources.flatMap(({ properties }) =>
      Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)] as const),
    ),
  );
  return Type.Object(
    {
      object: ObjectKind('customer_summary'),
      customer: Text('The id of the customer.'),
      is_complete: Flag(`\`false\` if there are ${most} or more of one status: the newest ${most} are added up.`),
      credit: creditShape,
      ...added,
    },
    { title: 'CustomerSummary', description: 'What a customer has paid, owes and has in credit.' },
  );
}

export function summaryOperation(sources: readonly CustomerFigures[]): AnyOperation {
  return operation({
    name: 'customers.retrieve_summary',
    summary: 'Retrieve what a customer has paid and owes',
    description: `Adds up the payments, disputes and open invoices of a customer, as the lists have them now, and the credit. Members about objects that the key may not read are absent. Of each status the newest ${most} are added up; \`is_complete\` says whether that was all.`,
    route: 'GET /customers/:id/summary',
    output: summaryShape(sources),
    async run(context) {
      const { id, credit_balance } = await requireCustomer(context);
      const readable = sources.filter(({ scope }) => mayRead(context.caller, scope));
      const found = await Promise.all(readable.map((source) => source.find(context, id)));
      const credit = Object.entries(credit_balance ?? {}).map(([currency, amount]) => ({ currency, amount }));
      const is_complete = found.every(({ isComplete }) => isComplete);
      const figures = Object.assign({}, ...found.map((one) => one.figures));
      const result = { object: 'customer_summary', customer: id, is_complete, credit, ...figures };
      return { result, objectId: id, scopes: readable.map(({ scope }) => scope) };
    },
  });
}
