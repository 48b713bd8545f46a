import { readFileSync } from 'node:fs';

/** dev: every setting has a default. serve: settings that protect money have none. command: the defaults of all other commands. */
export type Purpose = 'dev' | 'serve' | 'command';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One value, or one for `serve` and one for everything else. */
type ByPurpose<Value> = Value | { serve: Value; otherwise: Value };

/** A variable of the environment. `docs/settings.md` is generated from these declarations. */
export type Setting<Value extends string | number = string> = {
  name: string;
  /** Its effect, in one or two sentences of Markdown. */
  meaning: string;
  default?: ByPurpose<Value>;
  /** The text of the documentation in place of the default. */
  defaultInWords?: string;
};

export type TextSetting = Setting & { default: ByPurpose<string> };

/** A whole number. */
export type NumberSetting = Setting<number> & {
  default: ByPurpose<number>;
  range: readonly [min: number, max: number];
  /** A limit of the server: where several processes share the port, each has its part of it. */
  perProcess?: 'divided';
};

export type ChoiceSetting<Choice extends string = string> = Setting<Choice> & {
  default: ByPurpose<Choice>;
  choices: readonly Choice[];
};

export type AnySetting = Setting | NumberSetting | ChoiceSetting;

/** Declares a choice. The compiler learns the choices from the list. */
export function choiceSetting<const Choice extends string>(setting: ChoiceSetting<Choice>): ChoiceSetting<Choice> {
  return setting;
}

type ReaderOptions = {
  purpose: Purpose;
  environment: Environment;
  /** Whether more is allowed than in production. */
  isDevelopment: boolean;
  /** How many processes share the limits that are declared as divided. */
  sharedBy: number;
};

/** Reads settings, and collects what is wrong with them. */
export class SettingsReader {
  readonly problems: string[] = [];
  readonly purpose: Purpose;
  readonly isDevelopment: boolean;
  readonly #environment: Environment;
  readonly #sharedBy: number;

  constructor({ purpose, environment, isDevelopment, sharedBy }: ReaderOptions) {
    this.purpose = purpose;
    this.isDevelopment = isDevelopment;
    this.#environment = environment;
    this.#sharedBy = sharedBy;
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  /** The value in the environment; undefined where there is none. */
  given({ name }: Pick<Setting, 'name'>): string | undefined {
    return givenIn(this.#environment, name);
  }

  text(setting: TextSetting): string {
    return this.given(setting) ?? this.#defaultOf(setting.default);
  }

  /** Values that are separated by commas or white space. */
  list(setting: Setting): string[] {
    const text = this.given(setting) ?? this.#defaultOf(setting.default ?? '');
    return text.split(/[\s,]+/).filter(Boolean);
  }

  number(setting: NumberSetting): number {
    const { name, perProcess } = setting;
    const [min, max] = setting.range;
    let value = Number(this.given(setting) ?? this.#defaultOf(setting.default));
    if (!Number.isInteger(value) || value < min || value > max) {
      this.problem(`${name} must be a whole number from ${min} to ${max}.`);
      value = this.#defaultOf(setting.default);
    }
    return perProcess === 'divided' ? Math.ceil(value / this.#sharedBy) : value;
  }

  choice<Choice extends string>(setting: ChoiceSetting<Choice>): Choice {
    const { name, choices } = setting;
    const value = this.given(setting);
    if (value === undefined) return this.#defaultOf(setting.default);
    if ((choices as readonly string[]).includes(value)) return value as Choice;
    this.problem(`${name} must be one of ${choices.join(', ')}.`);
    return this.#defaultOf(setting.default);
  }

  /** The content of the file that the setting names. */
  file(setting: Setting): string | undefined {
    const path = this.given(setting);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      this.problem(`${setting.name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      return undefined;
    }
  }

  #defaultOf<Value extends string | number>(value: ByPurpose<Value>): Value {
    if (typeof value !== 'object') return value;
    return this.purpose === 'serve' ? value.serve : value.otherwise;
  }
}

/** An empty value is none: compose files and units set variables to nothing. */
export function givenIn(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}
