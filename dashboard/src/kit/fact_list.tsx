import type { ReactNode } from 'react';
import style from './fact_list.module.css';

/** A name and a value. One without a value is left out. */
export type Fact = readonly [name: string, value: ReactNode];

export const hasValue = (value: ReactNode) => value !== undefined && value !== null && value !== false;

type FactListProps = {
  facts: readonly Fact[];
  /** The width of the names. */
  names?: string;
  /** Another style than names beside their values. */
  className?: string | undefined;
};

export function FactList({ facts, names, className = style.beside }: FactListProps) {
  return (
    <dl className={className} style={names === undefined ? {} : ({ '--names': names } as object)}>
      {facts
        .filter(([, value]) => hasValue(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
