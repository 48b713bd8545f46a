import type { TObject } from 'typebox';
import { assert } from '../../../base/errors.ts';
import type { Input } from '../../../operations/operation.ts';
import { apiError } from './errors.ts';
import type { MethodKind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { PaymentMethod } from './payment_method.ts';

const byBrand = new Map(kinds.flatMap((kind) => kind.brands.map((brand) => [brand, kind] as const)));

/** The brands of all kinds. */
export const brands: readonly string[] = [...byBrand.keys()];

export function kindOf({ brand }: Pick<PaymentMethod, 'brand'>): MethodKind {
  const kind = byBrand.get(brand);
  assert(kind, `no kind of payment method has the brand ${brand}`);
  return kind;
}

export function kindNamed(type: string): MethodKind {
  const kind = kinds.find((one) => one.type === type);
  assert(kind, `there is no kind of payment method ${type}`);
  return kind;
}

/** Of whatever kind: its schema has checked them. */
type KindParameters = Input<TObject, 'clear'>;

/** The parameters of a kind in a request; undefined: not sent. */
export function parametersOf({ type }: MethodKind, input: object): KindParameters | undefined {
  return (input as Record<string, KindParameters | undefined>)[type];
}

/** Refuses the parameters of other kinds. */
export function refuseOtherKinds(kind: MethodKind, input: object): void {
  const other = kinds.find((one) => one !== kind && parametersOf(one, input) !== undefined);
  if (other === undefined) return;
  const reason = `the type of the payment method is ${kind.type}`;
  throw apiError('parameter_invalid', { param: other.type, reason });
}
