import type { TSchema } from 'typebox';
import { Type } from '../base/schema.ts';
import { inAnyOrder } from './schemas.ts';

/** Which resources the object with an id can be of, and which references of that object can be expanded with it. */
type Referred = { to: readonly string[]; through: readonly string[] };

/**
 * A member of an object that is shown: the id of another object. `to` names the resource of that object, or all that it can be of;
 * `through` the references of that object that are expanded by a path of two.
 */
export function Reference(to: string | readonly string[], description: string, through: readonly string[] = []) {
  const refersTo: Referred = { to: [to].flat(), through };
  return Type.String({ description, refersTo });
}

export const MaybeReference = (...reference: Parameters<typeof Reference>) => Type.Optional(Reference(...reference));

/** A path that `expand` can name, and its first member. `then`: the member of the object there, in a path of two. */
export type ReferencePath = { path: string; member: string; to: readonly string[]; then?: string };

type ObjectSchema = { properties?: Record<string, { refersTo?: Referred; type?: string; items?: TSchema }> };

/** The paths that can be expanded in an object, or in each object of a list. */
export function referencesIn(output: TSchema): ReferencePath[] {
  const { properties = {} } = output as ObjectSchema;
  const listed = properties.data?.type === 'array' ? properties.data.items : undefined;
  if (listed !== undefined) return referencesIn(listed);
  return Object.entries(properties).flatMap(([member, { refersTo }]) => {
    if (refersTo === undefined) return [];
    const { to, through } = refersTo;
    return [{ path: member, member, to }, ...through.map((then) => ({ path: `${member}.${then}`, member, to, then }))];
  });
}

const pathsMax = 5;

/** The parameter by which a caller asks for the objects that an answer refers to; undefined where it refers to none. */
export function ExpandParameter(output: TSchema) {
  const paths = referencesIn(output).map(({ path }) => path);
  if (paths.length === 0) return undefined;
  const description = `The objects to show beside their ids, under \`expanded\`: up to ${pathsMax}. The key needs the scope to read each.`;
  return Type.Optional(Type.Array(Type.String({ enum: paths }), { maxItems: pathsMax, description, ...inAnyOrder }));
}
