/** An object that a request can ask for more with. */
type Expandable = { expanded?: object };

/** The paths that a request can name for an object. */
export type PathsOf<Shown extends Expandable> = keyof NonNullable<Shown['expanded']> & string;

/** Parameters with the paths that an answer is expanded by. */
export type Expanding<Path extends string> = { expand?: readonly Path[] | undefined };

/**
 * An object with what was asked for by `expand`. What is gone is left out, so each may be missing. Where the paths are not known, as in a
 * variable that has the type of all parameters, `expanded` itself may be missing too.
 */
export type Expanded<Shown extends Expandable, Path extends string> = [Path] extends [never]
  ? Shown
  : [PathsOf<Shown>] extends [Path]
    ? Shown
    : Omit<Shown, 'expanded'> & { expanded: Pick<NonNullable<Shown['expanded']>, Path & PathsOf<Shown>> };

/** The paths among the options of a call that has no other parameters. */
export function expandIn(options: Expanding<string> | undefined): Expanding<string> {
  return options?.expand === undefined ? {} : { expand: options.expand };
}
