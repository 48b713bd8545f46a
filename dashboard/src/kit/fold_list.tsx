import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import style from './fold_list.module.css';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';

export type Fold = {
  key: string;
  status: ReactNode;
  title: ReactNode;
  /** In quiet letters; left out on a narrow screen. */
  detail?: ReactNode;
  at: number;
  /** What is shown once somebody opens it. */
  body(): ReactNode;
};

type FoldListProps = {
  label: string;
  folds: readonly Fold[];
  opened: string | undefined;
  onOpen(key: string | undefined): void;
};

/** A list of what has happened, of which one is open. */
export function FoldList({ label, folds, opened, onOpen }: FoldListProps) {
  return (
    <ul className={`divided ${style.list}`} aria-label={label}>
      {folds.map((fold) => (
        <Row key={fold.key} fold={fold} isOpen={fold.key === opened} onOpen={onOpen} />
      ))}
    </ul>
  );
}

type RowProps = { fold: Fold; isOpen: boolean; onOpen: FoldListProps['onOpen'] };

function Row({ fold, isOpen, onOpen }: RowProps) {
  const id = useId();
  return (
    <li data-open={isOpen || undefined}>
      <UnstyledButton
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onOpen(isOpen ? undefined : fold.key)}
      >
        <span className={style.arrow}>
          <Icon name="right" size={12} />
        </span>
        <span className={`truncated ${style.title}`}>{fold.title}</span>
        <span>{fold.status}</span>
        <span className={`truncated ${style.detail}`}>{fold.detail}</span>
        <span className={style.at}>
          <Moment seconds={fold.at} precision="second" />
        </span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={style.body}>
          {fold.body()}
        </div>
      )}
    </li>
  );
}
