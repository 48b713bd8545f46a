export { ProfilePage as Page } from './profile.tsx';
