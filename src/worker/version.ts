/** The service's name, and the version of the interface that it describes (interface.md 9). */
export const NAME = "Carrel";
export const VERSION = "1.0.0";
