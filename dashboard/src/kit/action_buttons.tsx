import { Button, Menu } from '@mantine/core';
import type { Right } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { type OpenDialog, useDialog } from './action_dialog.tsx';
import { Icon } from './icon.tsx';

export type ActionEntry = {
  title: string;
  /** What the role needs: a button that the API would refuse is not shown. */
  right: Right;
  /** Whether the state of the object allows it; it does, unless this says otherwise. */
  isPossible?: boolean;
  /** In the menu behind the buttons: it is not what people come for. */
  isMore?: boolean;
  /** The one that people come for. */
  isMain?: boolean;
  dialog: OpenDialog;
};

/** The actions of an object: buttons, and a menu for those that are rare. Each opens its dialog. */
export function ActionButtons({ actions }: { actions: readonly ActionEntry[] }) {
  const { dialog, open } = useDialog();
  const { may } = useWorkspace();
  const offered = actions.filter(({ isPossible = true, right }) => isPossible && may(right));
  const more = offered.filter(({ isMore }) => isMore);
  return (
    <>
      {offered
        .filter(({ isMore }) => !isMore)
        .map((action) => (
          <Button key={action.title} variant={action.isMain ? 'filled' : 'default'} onClick={() => open(action.dialog)}>
            {action.title}
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
            {more.map((action) => (
              <Menu.Item key={action.title} onClick={() => open(action.dialog)}>
                {action.title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </>
  );
}
