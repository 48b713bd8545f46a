import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Command } from './copy.tsx';
import style from './empty.module.css';
import { Icon, type IconName } from './icon.tsx';

export type EmptyWords = {
  title: string;
  text: ReactNode;
  /** What to paste into a terminal, so that there is something. */
  command?: string | undefined;
};

type EmptyProps = EmptyWords & {
  icon?: IconName;
  /** It is all that the page has. */
  isPage?: boolean;
  children?: ReactNode;
};

/** Where there is nothing: what to do next. */
export function Empty({ title, text, command, icon, isPage = false, children }: EmptyProps) {
  return (
    <Stack align="center" gap={12} px="md" py={56} ta="center" className={style.empty}>
      {icon && (
        <span className={style.icon}>
          <Icon name={icon} size={22} />
        </span>
      )}
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      {command !== undefined && <Command text={command} />}
      {children}
    </Stack>
  );
}
