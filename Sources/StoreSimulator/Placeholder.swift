enum StoreSimulatorPlaceholder {}
