"""The graph engine: calls are recorded once, replayed as flat code, and compiled in the background.

`tape` holds what was recorded, `capture` records, `tree` joins recordings of the branches of one
call, `guards` decides which recording a call may use, `plans` lower a recording to code, `choose`
lets plans compete on real calls, and `unit` is the compiled function or cell that joins them all.
"""
