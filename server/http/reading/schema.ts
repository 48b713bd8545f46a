export type Values = Record<string, unknown>;

/** The parts of an operation's input schema that are read here. `body/coerce.ts` reads further ones. */
export type ParameterSchema = {
  properties?: Record<string, ParameterSchema>;
  required?: string[];
  type?: string;
  enum?: unknown[];
  personal?: boolean;
  confidential?: 'compared' | 'ignored';
};

/** The schema of a property. Own properties only: a caller may send a parameter named `constructor`. */
export function propertyOf({ properties }: ParameterSchema, name: string): ParameterSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function isPlainObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
