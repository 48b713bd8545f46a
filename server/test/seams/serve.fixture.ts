import '../processes/crash_point.fixture.ts';
import { resources } from '../../resources/index.ts';
import { kiosks } from '../../resources/payments/payments/kiosk.fixture.ts';
import { alarms } from './alarms/index.ts';
import { harbor } from './harbor/index.ts';
import { serve } from './serving.ts';
import { tabs } from './tabs/index.ts';

/** `tollgate serve` with the tabs, the alarms, the kiosks and Harbor, as a process that a test can kill. */
await serve({ resources: [...resources, tabs, alarms, kiosks], processor: harbor });
