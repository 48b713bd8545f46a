export { RoutingPage as Page } from './page.tsx';
