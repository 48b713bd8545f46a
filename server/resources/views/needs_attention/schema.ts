import { Type } from '../../../base/schema.ts';
import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import {
  Flag,
  MaybeMoment,
  MaybeText,
  MaybeWhole,
  Moment,
  ObjectKind,
  OneOf,
  OptionalChoice,
  Parameters,
  Text,
  Whole,
} from '../../../operations/schemas.ts';

/** The kinds are those that resources know of. */
export function attentionSchemas(sources: readonly AttentionSource[]) {
  const kinds = [...new Set(sources.map(({ kind }) => kind))];
  const objects = [...new Set(sources.flatMap((source) => source.objects))];
  const about = kinds.map((kind) => `\`${kind}\`: ${sources.find((source) => source.kind === kind)!.about}.`).join(' ');
  const item = Type.Object(
    {
      id: Text('The id of the object.'),
      object: OneOf(objects, 'The kind of object.'),
      name: MaybeText('What people call the object, where that is not its id: the number of an invoice.'),
      kind: OneOf(kinds, about),
      since: Moment('Since when it waits.'),
      due_by: MaybeMoment('When it is too late.'),
      amount: MaybeWhole('The amount that is at stake, in the smallest unit of the currency.'),
      currency: MaybeText('A three-letter ISO currency code in lower case.'),
      reason: Text('What has happened.'),
      action: Text('What helps.'),
      operation: MaybeText(
        'The operation of the API that does it, such as `disputes.update`. Absent where only the operator of the gateway can help.',
      ),
    },
    { title: 'AttentionItem', description: 'Something that waits for a person.' },
  );
  const count = Type.Object(
    {
      kind: OneOf(kinds, 'The kind.'),
      count: Whole('How many of it are in the list.'),
      has_more: Flag('Whether there are more.'),
    },
    { title: 'AttentionCount', description: 'How many there are of a kind.' },
  );
  return {
    input: Parameters({ kind: OptionalChoice(kinds, 'Only this kind.') }),
    output: Type.Object(
      {
        object: ObjectKind('needs_attention'),
        counts: Type.Array(count, { description: 'How many there are of each kind.' }),
        data: Type.Array(item, { description: 'What waits, by kind, the most urgent of each first.' }),
      },
      { title: 'NeedsAttention', description: 'Everything that waits for a person.' },
    ),
  };
}
