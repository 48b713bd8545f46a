import { Button, Menu, Text } from '@mantine/core';
import type { OperationName } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { type OpenDialog, useDialog } from './action_dialog.tsx';
import { Icon } from './icon.tsx';

export type ActionEntry = {
  title: string;
  /** The operation of the API: a button that the API would refuse is not shown. */
  calls: OperationName;
  /** A verb and its object, such as `refund it`. For a person without the right, the page names the roles that have it. */
  asked?: string;
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
  const possible = actions.filter(({ isPossible = true }) => isPossible);
  const offered = possible.filter(({ calls }) => may(calls));
  const more = offered.filter(({ isMore }) => isMore);
  return (
    <>
      <WhoElse actions={possible.filter(({ calls }) => !may(calls))} />
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

/** Who can do what somebody looks for here, and may not. */
function WhoElse({ actions }: { actions: readonly ActionEntry[] }) {
  const { whoMay } = useWorkspace();
  const asked = actions.filter((action) => action.asked !== undefined);
  if (asked.length === 0) return null;
  const sentences = [...Map.groupBy(asked, ({ calls }) => whoMay(calls))].map(
    ([who, theirs]) => `${who} can ${inWords(theirs.map((action) => action.asked!))}.`,
  );
  return (
    <Text size="sm" c="dimmed">
      {sentences.join(' ')}
    </Text>
  );
}

const inWords = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);
