"""The demo network: real UDP game servers and masters on loopback.

A stage for people who look around, and the rig of the tests and benchmarks.
"""
