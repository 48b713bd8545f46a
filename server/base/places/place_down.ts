import { Unavailable } from '../errors.ts';
import { reasonOf } from '../sql.ts';

/** A place of a cluster does not answer. For operators, who have to know which server that is. */
export class PlaceDown extends Unavailable {
  static of(place: string, node: string, cause: unknown): PlaceDown {
    if (cause instanceof PlaceDown) return cause;
    return new PlaceDown(`the place ${place} on ${node} cannot be used (${reasonOf(cause)})`, { cause });
  }

  static all(down: readonly PlaceDown[]): PlaceDown {
    const [first, ...others] = down;
    if (others.length === 0) return first!;
    return new PlaceDown(down.map(({ message }) => message).join('; '), { cause: first!.cause });
  }
}
