import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../kit/icon.tsx';
import { useSignOut } from '../session/session.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './frame.module.css';
import { useGo } from './mode.tsx';

const schemes = [
  ['auto', 'Match system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Which account, which colours, and the way out. */
export function AccountMenu() {
  const { session, account } = useWorkspace();
  const go = useGo();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <UnstyledButton className={style.accountTarget}>
          <span className="visually-hidden">Account</span>
          <span className={`truncated ${style.account}`}>{account.name}</span>
          <Avatar size={28} radius="xl" color="brand" variant="filled" name={session.user.email} aria-hidden>
            {session.user.email.slice(0, 1).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.user.email}</Menu.Label>
        {session.accounts.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => go({ account: id })}
            rightSection={id === account.id && <Icon name="check" size={14} />}
          >
            {name}
            <Text span ml={8} c="dimmed" size="xs">
              {role}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(([scheme, title]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme && <Icon name="check" size={14} />}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={'/settings/profile' as string} leftSection={<Icon name="profile" size={14} />}>
          My profile
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" size={14} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
