import { Button, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { usePlace } from '../session/place.tsx';
import type { Right } from '../session/rights.ts';
import { Icon } from './icon.tsx';

export type ActionEntry = {
  title: string;
  /** What the role needs: a button that the API would refuse is not shown. */
  right: Right;
  /** Whether the state of the object allows it. */
  isPossible: boolean;
  /** In the menu behind the buttons: it is not what people come for. */
  isMore?: boolean;
  /** The one that people come for. */
  isMain?: boolean;
  dialog(onClose: () => void): ReactNode;
};

/** The actions of an object: buttons, and a menu for those that are rare. Each opens its dialog. */
export function ActionButtons({ actions }: { actions: readonly ActionEntry[] }) {
  const [opened, setOpened] = useState<string>();
  const { may } = usePlace();
  const offered = actions.filter(({ isPossible, right }) => isPossible && may(right));
  const more = offered.filter(({ isMore }) => isMore);
  const current = offered.find(({ title }) => title === opened);
  return (
    <>
      {offered
        .filter(({ isMore }) => !isMore)
        .map(({ title, isMain }) => (
          <Button key={title} variant={isMain ? 'filled' : 'default'} onClick={() => setOpened(title)}>
            {title}
          </Button>
        ))}
      {more.length > 0 && (
        <Menu position="bottom-end" shadow="md" width={220}>
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="down" size={12} />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map(({ title }) => (
              <Menu.Item key={title} onClick={() => setOpened(title)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {current?.dialog(() => setOpened(undefined))}
    </>
  );
}
