import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import style from './workbench.module.css';

type EntriesProps<Item> = {
  label: string;
  items: readonly Item[] | undefined;
  error: unknown;
  /** What to say where there are none. */
  nothing: string;
  row(item: Item): ReactNode;
  detail(item: Item): ReactNode;
};

/** A list at the left, and what is chosen of it at the right. On a narrow screen one or the other. */
export function Entries<Item extends { id: string }>(props: EntriesProps<Item>) {
  const { label, items, error, nothing, row, detail } = props;
  const [chosenId, setChosen] = useState<string>();
  const chosen = items?.find(({ id }) => id === chosenId);
  if (error !== null) return <Failure error={error} />;
  if (items === undefined) return <Waiting />;
  if (items.length === 0)
    return (
      <Text c="dimmed" p="md">
        {nothing}
      </Text>
    );
  return (
    <div className={style.entries} data-chosen={chosen !== undefined || undefined}>
      <ul className={`divided ${style.list}`} aria-label={label}>
        {items.map((item) => (
          <li key={item.id}>
            <UnstyledButton
              className={style.row}
              aria-current={item.id === chosenId || undefined}
              onClick={() => setChosen(item.id)}
            >
              {row(item)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={style.detail} aria-label="Details" tabIndex={0}>
        {chosen === undefined ? (
          <Text c="dimmed" p="md">
            Choose one to see it here.
          </Text>
        ) : (
          <>
            <UnstyledButton className={style.back} onClick={() => setChosen(undefined)}>
              <Icon name="left" size={14} /> Back
            </UnstyledButton>
            {detail(chosen)}
          </>
        )}
      </section>
    </div>
  );
}

export function Waiting() {
  return (
    <div className={style.waiting} aria-busy>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={14} />
      ))}
    </div>
  );
}
