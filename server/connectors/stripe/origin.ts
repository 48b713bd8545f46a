import { isId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import type { MarkedPayment, StatementLine } from '../contract.ts';
import { intentOf, objectOf, type StripeObject, textOf } from './shapes.ts';
import { cardOf } from './tokens.ts';
import { fromStripe } from './units.ts';

/** The name of a refund, and the payment that a charge or a refund is about by the marks on its intent. */
export function marksOf(kind: StatementLine['kind'], source: StripeObject): Pick<StatementLine, 'refund' | 'origin'> {
  if (kind !== 'payment' && kind !== 'refund') return {};
  const refund = kind === 'refund' ? textOf(source.id) : undefined;
  const origin = originOf(source);
  return { ...(refund === undefined ? {} : { refund }), ...(origin === undefined ? {} : { origin }) };
}

/** Undefined for what other software has made. */
function originOf(source: StripeObject): MarkedPayment | undefined {
  const intent = intentOf(source.payment_intent);
  const { tollgate_payment: payment = '', tollgate_attempt = '', tollgate_capture = '' } = intent?.metadata ?? {};
  if (intent === undefined || !isId('py', payment) || !isId('att', tollgate_attempt)) return undefined;
  const card = cardOf(objectOf(objectOf(source.payment_method_details)?.card));
  const token = textOf(source.payment_method);
  return {
    payment,
    authorization: tollgate_attempt,
    ...(isId('att', tollgate_capture) ? { capture: tollgate_capture } : {}),
    reference: intent.id,
    money: fromStripe(intent.amount, intent.currency),
    isManual: intent.isManual,
    ...(card && { card: { ...card, ...(token && { token: new Secret(token) }) } }),
  };
}
