import { Type } from '../../base/schema.ts';
import { listParameters, OptionalChoice, OptionalId, Parameters, Shown, Timestamp } from '../shapes.ts';
import { transactionTypes } from './transaction.ts';

const Amounts = (description: string) =>
  Type.Array(Type.Object({ amount: Type.Integer(), currency: Type.String() }), { description });

export const BalanceOutput = Type.Object(
  {
    object: Type.Literal('balance'),
    available: Amounts('What can be paid out, by currency'),
    pending: Amounts('What becomes available on a later day'),
    disputed: Amounts('What cardholders have taken back, and is not decided yet'),
  },
  { title: 'Balance' },
);

export const TransactionsInput = Parameters({
  ...listParameters,
  type: OptionalChoice(transactionTypes, 'Only transactions of this type: payment, refund, …'),
  source: OptionalId('Only those that this payment, refund or dispute has caused'),
  payment: OptionalId('Only those of this payment, its refunds and its disputes'),
});

export const TransactionOutput = Shown('BalanceTransaction', 'balance_transaction', {
  amount: Type.Integer({ description: 'What it adds to the balance; negative for what it takes away' }),
  currency: Type.String(),
  type: Type.String({ enum: [...transactionTypes] }),
  source: Type.String({ description: 'The payment, refund or dispute that has caused it' }),
  payment: Type.String(),
  status: Type.String({ enum: ['pending', 'available'] }),
  available_on: Timestamp,
  created: Timestamp,
});

export const RepairOutput = Type.Object({
  has_more: Type.Boolean(),
  data: Type.Array(
    Type.Object({
      kind: Type.String(),
      source: Type.String({
        description: 'The payment, refund, dispute or credit transaction that has no posting of this kind',
      }),
      payment: Type.Optional(Type.String()),
      amount: Type.Integer(),
      currency: Type.String(),
      available_on: Type.String({ description: 'A day in UTC' }),
    }),
  ),
});
