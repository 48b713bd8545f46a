// Runs before each test file; what it imports runs once in a process.
import './own_imports.ts';
import './cheap_passwords.ts';
